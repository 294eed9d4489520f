"""Adapters for the frameworks that people have their pipelines in; importing one of them needs its framework."""
