"""Middleware for models: cache, recording, budget, retries and limits, each a `Model` around a `Model`."""
