"""The routes of the API, one module for what a client asks of it."""
