"""Blocks: TODO."""
