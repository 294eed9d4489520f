"""Where sources say different things of the same: both sides quoted, with what the text tells of their order."""
