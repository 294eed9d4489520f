"""Whether what was read ends where the text ends: the foot of a page beside the top of the next one."""
