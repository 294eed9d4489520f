"""Pairs of sources made from real sentences, some of them in conflict: how many does `find_conflicts` tell apart?"""
