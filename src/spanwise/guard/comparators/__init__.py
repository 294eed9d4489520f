"""What makes two sentences about the same thing say different things, a function for each."""
