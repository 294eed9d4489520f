"""Pure functions over strings: sentences, folding, quotes, terms, token estimates. Offsets are always kept."""
