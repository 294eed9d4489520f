def test_it_is_there():
    import pydantic_ai

    assert pydantic_ai
