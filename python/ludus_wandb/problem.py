"""What can go wrong, as one sentence with the exit code of the command."""

FAILED, USAGE, NOT_FOUND, BAD_DATA, BUSY, INTERRUPTED = 1, 2, 3, 4, 7, 130


class Problem(Exception):
    """Ends the command: str() is the sentence, `code` the exit code (as those of ludus)."""

    def __init__(self, code, sentence):
        # what comes from a file may hold line ends and escape codes
        super().__init__("".join(c if c.isprintable() else "?" for c in sentence))
        self.code = code
