"""Tables: read from lines, asked for cells, and computed with."""
