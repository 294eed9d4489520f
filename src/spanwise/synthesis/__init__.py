"""From passages to a draft answer."""
