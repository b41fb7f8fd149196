"""The mutation operators, one a file, named as the table in Go names them.

NODES are the kinds of node that at(site) is to look at. A proposal is a
byte-exact replacement that is meant to compile; mutants.py compiles each.
"""
