"""Comparators: functions from a claim and its evidence to the differences between them."""
