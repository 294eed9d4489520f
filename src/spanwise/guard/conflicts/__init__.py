"""Where sources contradict each other: sentences paired, compared with the same comparators, and told."""
