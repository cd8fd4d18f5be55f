"""Paths: TODO."""
