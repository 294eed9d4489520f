"""Export: a result in the formats that other systems and people read."""
