"""Text that speaks to a machine instead of its readers: orders, forged marks, planted answers; all of it is data."""
