"""One certain breakage of a program, and where it shows."""


class Finding:
    """kind is one of:

    syntax     the text of path does not parse
    undefined  a name that nothing defines
    unbound    a local that is only updated in place
    misfit     a call that its own file's definition refuses
    import     path imports name from file, which does not have it
    gone       path uses name of file, which lost it
    call       path calls name of file, whose new signature refuses it
    attribute  path reads an attribute that nothing has any more
    wanted     restored text of path reads an attribute that the change takes away
    """

    def __init__(self, kind, name, path, line, why, file=None):
        self.kind, self.name, self.path, self.line, self.why = kind, name, path, line, why
        self.file = file or path

    def key(self):
        return self.kind, self.name, self.path


def unreadable(path, text):
    return Finding("syntax", "", path, text.error_line, "half of a syntactic construct: %s" % text.error)


def is_test(path):
    """Whether a path is named as part of the tests."""
    parts = path.split("/")
    name = parts[-1]
    named = name.startswith("test_") or name.endswith("_test.py") or name in ("conftest.py", "tests.py", "test.py")
    return named or any(p in ("test", "tests", "testing") for p in parts[:-1])
