"""Measures answers on public question sets: one module a set, pure metrics, figures, rows and comparisons."""
