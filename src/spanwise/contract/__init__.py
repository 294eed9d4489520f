"""The contract of an answer: values, items, answers, their validation, and results with their published record."""
