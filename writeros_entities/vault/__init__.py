"""Turn the files of a vault into parsed notes; pure functions, except for reading folders in
`files`.
"""
