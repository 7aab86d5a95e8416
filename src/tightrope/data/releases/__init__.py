"""Releases: private statistics of a table, and the documents that they are published as."""

from tightrope.data.releases.publication import read_entry

__all__ = ["read_entry"]
