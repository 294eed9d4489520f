"""Replaying: verification of a trace without model or documents."""
