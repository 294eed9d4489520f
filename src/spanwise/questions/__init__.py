"""Questions: parsing, decomposition, follow-ups, profiles and suggestions."""
