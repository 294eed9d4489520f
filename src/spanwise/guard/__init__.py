"""What stands between a draft and its reader: every claim is checked against the source."""
