"""What came of collecting, and how it is told."""

from dataclasses import dataclass, field
from pathlib import Path

from grader.words import plural


@dataclass
class Collected:
    """What came of collecting.

    Attributes
    ----------
    new, replaced, unchanged : list of (str, str, str)
        Notebooks by part, student and file: those that were not there, those that took the place of another, and those
        that were there already, the same.
    told : list of str
        What was decided and may surprise.
    refused : list of (str, str)
        What was not taken in, and why.
    others : int
        Files that are no notebooks, and were left out.
    aside : Path or None
        Where what was replaced is kept.
    """

    new: list = field(default_factory=list)
    replaced: list = field(default_factory=list)
    unchanged: list = field(default_factory=list)
    told: list = field(default_factory=list)
    refused: list = field(default_factory=list)
    others: int = 0
    aside: Path | None = None

    def refuse(self, where, why):
        """Note what is not taken in."""
        self.refused.append((where, str(why)))

    def tell(self, words):
        """Note what may surprise."""
        self.told.append(words)

    @property
    def status(self):
        """The exit status of a command: 1 if something was not taken in."""
        return 1 if self.refused else 0

    @property
    def summary(self):
        """What was collected, in words."""
        everything = [*self.new, *self.replaced, *self.unchanged]
        lines = []
        for part in sorted({one[0] for one in everything}):
            students = {student for where, student, _ in everything if where == part}
            counts = [
                f"{number} {words}"
                for kind, words in ((self.new, "new"), (self.replaced, "replaced"), (self.unchanged, "there already"))
                if (number := sum(one[0] == part for one in kind))
            ]
            lines.append(f"{part}: {plural(len(students), 'student')}; notebooks: {', '.join(counts)}")
        if not lines:
            lines.append("No notebooks were collected.")
        if self.others:
            lines.append(f"Left out: {plural(self.others, 'file')} that no submission needs.")
        if self.aside:
            lines.append(f"What was replaced is kept: {self.aside}")
        return "\n".join([*lines, *self.told])

    @property
    def problems(self):
        """What was not taken in, and why, in words; "" if everything was."""
        if not self.refused:
            return ""
        lines = [f"  {what}: {why}" for what, why in self.refused]
        return "\n".join([f"Not taken in ({len(lines)}):", *lines])
