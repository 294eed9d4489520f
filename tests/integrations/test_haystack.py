def test_it_is_there():
    import haystack

    assert haystack
