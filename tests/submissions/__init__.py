"""The failure catalogue's entries, by what goes wrong: `damaged`, `mishaps`, `cheats`, `thefts`, `attacks`."""
