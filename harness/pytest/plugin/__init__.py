"""What assay loads into a project's pytest. PYTEST_DONT_REWRITE.

The Go side writes these files into a scratch directory and starts
`python -m assay_pytest JOB.json`. Nothing here is imported by the project, and
nothing here may warn, print or change what a test sees: projects run with
warnings as errors, and the hits are thrown away when they change an outcome.

Runs on Python 3.8 and later, with pytest 6.2 and later.
"""
