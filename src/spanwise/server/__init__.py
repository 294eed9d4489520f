"""The HTTP API and the page, over `spanwise.serving`."""
