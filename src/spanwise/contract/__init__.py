"""The promised shape of an answer: values, items, answers, and the result that proves them."""
