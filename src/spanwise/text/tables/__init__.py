"""Tables, read once from lines of any format: grid, heads, rows with their groups, units and periods."""
