def test_it_is_there():
    import langchain_core

    assert langchain_core
