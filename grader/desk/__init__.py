"""What a person asks for at a desk: JupyterLab (`lab`), a fresh copy (`reset`), a class to try things on (`demo`,
`sample_class`), and what a contributor needs (`new`, `trying`).
"""
