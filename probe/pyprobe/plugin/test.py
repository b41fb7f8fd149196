"""Which test is running, in which phase, and which fixtures are being set up."""


class Now:
    """One per process: pytest runs one test at a time."""

    node = ""
    phase = "collect"
    fixtures = []
    limited = False  # the test has a timeout of its own, by a marker


def fixture():
    return Now.fixtures[-1] if Now.fixtures else ""
