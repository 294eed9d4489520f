def test_it_is_there():
    import llama_index

    assert llama_index
