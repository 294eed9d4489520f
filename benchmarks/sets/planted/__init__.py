"""Answers made from real lines, and the same answers with a fault planted: how many does validation find?"""
