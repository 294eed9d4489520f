"""From a draft to what may ship: every item, or every claim of running text, checked against its own lines."""
