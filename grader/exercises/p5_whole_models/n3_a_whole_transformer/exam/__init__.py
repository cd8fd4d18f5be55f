"""The exam `diagnose`: its boxes, the slips of those who sit it, and what their judges may have done."""
