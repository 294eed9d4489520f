"""What an answer claims: its text cut into parts, which of them state something, and the citations they carry."""
