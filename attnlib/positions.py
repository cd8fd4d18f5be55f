"""Positions: TODO."""
