"""What is known of one sentence, a claim's or a source's alike: its operators, small words, figures and language."""
