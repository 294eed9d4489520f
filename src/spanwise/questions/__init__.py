"""What a user asked, parsed."""
