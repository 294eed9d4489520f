def test_it_is_there():
    import dspy

    assert dspy
