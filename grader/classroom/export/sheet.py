"""Tables as learning platforms write them: read with their encoding and separator, and written in the same way."""

import codecs
import csv
import io
import re

from grader.classroom.report.table import harmless
from grader.errors import CourseError
from grader.files import read_regular

LARGEST = 20 * 2**20
BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
#: What Excel puts before all else.
SEPARATOR_LINE = re.compile(r'\A"?sep=[^\n]*\n', re.IGNORECASE)
#: What stands before the first separator: of all that is in quotation marks, nothing separates.
FIRST_CELL = re.compile(r'(?:"[^"]*"|[^",;\t\n])*([,;\t])')
NUMBER = re.compile(r"[-+]?[\d.,]*%?")


class Sheet:
    """A table with one row of heads.

    Parameters
    ----------
    heads : list of str
    rows : list of list of str
    encoding, separator : str
    quoted : bool
        Every cell is in quotation marks.

    Attributes
    ----------
    exact : set of int
        Columns whose texts the platform goes by: they are written as they are, whatever a spreadsheet makes of them.
    left_out : set of int
        Columns that are not written: the instructor's own.
    """

    def __init__(self, heads, rows=(), encoding="utf-8", separator=",", quoted=False):
        self.heads, self.rows = list(heads), [list(row) for row in rows]
        self.encoding, self.separator, self.quoted = encoding, separator, quoted
        self.exact, self.left_out = set(), set()

    @classmethod
    def read(cls, path):
        """The table in a file.

        Raises
        ------
        CourseError
            If it is none.
        """
        try:
            data = read_regular(path, LARGEST)
        except OSError as problem:
            raise CourseError(f"{path} cannot be read: {problem.strerror or problem}") from None
        if data.startswith((b"PK", b"\xd0\xcf\x11\xe0")):
            raise CourseError(f"{path} is a workbook of a spreadsheet; save it as CSV, or download it as CSV")
        text, encoding = _decoded(data, path)
        text = SEPARATOR_LINE.sub("", text.lstrip("\ufeff\r\n"))
        first = FIRST_CELL.match(text)
        separator = first[1] if first else ","
        csv.field_size_limit(LARGEST)  # a student may have typed much into a cell
        try:
            rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
        except csv.Error as problem:
            raise CourseError(f"{path} is no table that can be read ({problem}); download it afresh") from None
        rows = [row for row in rows if any(cell.strip() for cell in row)]
        if not rows or len(rows[0]) < 2:
            raise CourseError(f"{path} is no table; name the CSV file that you download from your learning platform")
        heads, width = [head.strip() for head in rows[0]], max(map(len, rows))
        heads += [""] * (width - len(heads))
        filled = [row + [""] * (width - len(row)) for row in rows[1:]]
        return cls(heads, filled, encoding, separator, text.startswith('"'))

    def column(self, *names):
        """The number of the first of some columns, whatever the case of its head; None if there is none."""
        heads = [_plain(head) for head in self.heads]
        return next((heads.index(_plain(name)) for name in names if _plain(name) in heads), None)

    def add(self, head, before=None):
        """Add an empty column; returns its number."""
        place = len(self.heads) if before is None else before
        self.heads.insert(place, head)
        for row in self.rows:
            row.insert(place, "")
        self.exact = {number + (number >= place) for number in self.exact}
        return place

    def bytes(self):
        """The file."""
        text = io.StringIO(newline="")
        writer = csv.writer(
            text,
            delimiter=self.separator,
            lineterminator="\r\n",
            quoting=csv.QUOTE_ALL if self.quoted else csv.QUOTE_MINIMAL,
        )
        shown = [number for number in range(len(self.heads)) if number not in self.left_out]
        writer.writerow([self.heads[number] for number in shown])
        for row in self.rows:
            writer.writerow([self._cell(number, row[number]) for number in shown])
        bom = "\ufeff" if self.encoding.startswith("utf-16") else ""
        return (bom + text.getvalue()).encode(self.encoding)

    def _cell(self, number, cell):
        return cell if number in self.exact or NUMBER.fullmatch(cell.strip()) else harmless(cell)


def _decoded(data, path):
    bom, encoding = next((pair for pair in BOMS.items() if data.startswith(pair[0])), (b"", "utf-8"))
    try:
        return data[len(bom) :].decode("utf-8" if encoding == "utf-8-sig" else encoding), encoding
    except UnicodeDecodeError:
        if bom:
            raise CourseError(f"{path} is damaged: it is not {encoding}; download it afresh") from None
    # What Excel of some countries makes of a CSV file.
    return data.decode("cp1252", "replace"), "utf-8-sig"


def _plain(head):
    return " ".join(head.strip().strip("\ufeff").casefold().split())
