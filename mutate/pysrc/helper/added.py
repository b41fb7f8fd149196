"""Text that a plan adds to head."""


class Added:
    """Text put in place of bytes [start,end) of head; says tells people."""

    def __init__(self, path, start, end, text, says):
        self.path, self.start, self.end, self.text, self.says = path, start, end, text, says

    def key(self):
        return self.path, self.start, self.end, self.text
