"""The pipeline from a question to its result, and the services that combine several of the packages below."""
