"""The passages cut into units, the units nearest to a claim, and the claim beside them word by word."""
