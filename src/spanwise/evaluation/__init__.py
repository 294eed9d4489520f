"""The evaluation of answers on question sets: a harness, metrics, figures, rows, comparisons and reports."""
