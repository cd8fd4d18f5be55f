"""What each learning platform calls its students, and how it wants marks and feedback.

Sources: Canvas, `lib/gradebook_importer.rb` and the guide "How do I import grades in the Gradebook?"; Moodle,
`mod/assign/feedback/offline/importgradeslib.php` and `mod/assign/feedback/file/importziplib.php`; Blackboard, "Working
offline with grade data"; Brightspace, "Importing grades" of its community's knowledge base.
"""

import re
from dataclasses import dataclass

from grader.classroom.collect.lms_names import BRIGHTSPACE_TIME
from grader.classroom.report.markup import number_text

MOODLE_FOLDER = re.compile(r"(?P<name>[^/]+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)_?")
CANVAS_FILE = re.compile(r"(?P<name>[^/]+?)(?:_(?i:late))?_(?P<number>\d+)_\d+_[^/]+")
BRIGHTSPACE_FOLDER = re.compile(rf"\d+-\d+ - (?P<name>[^/]+?) - {BRIGHTSPACE_TIME}")
BLACKBOARD_FILE = re.compile(r"(?P<name>[^/]+?)_attempt_\d{4}(?:-\d\d){5}_.+")


@dataclass(frozen=True)
class Platform:
    """A learning platform.

    Attributes
    ----------
    title : str
    number : tuple of str
        The heads of a column with the number that its file names hold.
    keys : tuple of str
        Heads of columns that identify a student.
    names, first, last : tuple of str
        Heads of columns with a full name, a first and a last name.
    needs : tuple of str
        Without one of these columns a table is none of the platform's.
    origin : re.Pattern
        What a file's path looks like that the platform gave; its `number` is the student's.
    sheet : str
        Where the table is downloaded.
    upload, feedback : str
        What to do with the files.
    """

    title: str
    number: tuple
    keys: tuple
    names: tuple
    first: tuple
    last: tuple
    needs: tuple
    origin: re.Pattern
    sheet: str
    upload: str
    feedback: str

    def called(self, head):
        """What a column is called by its instructor, of all that the platform writes into its head."""
        return re.split(r" Points Grade\b| <", head)[0] if self is PLATFORMS["brightspace"] else head

    def new_head(self, title, full):
        """The head of a column that the platform does not have yet."""
        if self is PLATFORMS["brightspace"]:
            return f"{title} Points Grade <Numeric MaxPoints:{number_text(full)}>"
        return title

    def read_only(self, sheet):
        """The numbers of the columns that the platform reckons itself: it takes nothing for them."""
        points = [row for row in sheet.rows if self is PLATFORMS["canvas"] and row[0].strip() == "Points Possible"]
        return {number for row in points for number, cell in enumerate(row) if cell.strip() == "(read only)"}

    def is_locked(self, sheet, row):
        """True of a student whose mark the platform does not let change: locked, or overridden in its gradebook."""
        place = sheet.column("Grade can be changed") if self is PLATFORMS["moodle"] else None
        return place is not None and row[place].strip().casefold() == "no"

    def full_marks(self, sheet, column):
        """The full marks that the platform's table gives for a column; None if it says nothing."""
        said = ""
        if self is PLATFORMS["canvas"]:
            said = next((row[column] for row in sheet.rows if row[0].strip() == "Points Possible"), "")
        elif self is PLATFORMS["moodle"]:
            place = sheet.column("Maximum Grade")
            said = next((row[place] for row in sheet.rows if place is not None and row[place].strip()), "")
        elif found := re.search(r"(?:Total Pts:|MaxPoints:)\s*(?:up to )?([\d.,]+)", sheet.heads[column]):
            said = found[1]
        try:
            return float(said.strip().replace(",", "."))
        except ValueError:
            return None


PLATFORMS = {
    "canvas": Platform(
        "Canvas",
        ("ID",),
        ("SIS Login ID", "SIS User ID", "Integration ID", "Email"),
        ("Student",),
        ("FirstName",),
        ("LastName",),
        ("Student",),
        CANVAS_FILE,
        "Gradebook, Export, Export Entire Gradebook",
        "Gradebook, Import, Upload from File",
        "the assignment, SpeedGrader's page, Re-Upload Submissions",
    ),
    "moodle": Platform(
        "Moodle",
        ("Identifier",),
        ("Email address", "ID number", "Username"),
        ("Full name",),
        ("First name",),
        ("Surname", "Last name"),
        ("Identifier",),
        MOODLE_FOLDER,
        "the assignment, Download grading worksheet",
        "the assignment, Upload grading worksheet (feedback type: offline grading worksheet)",
        "the assignment, Upload multiple feedback files in a zip (feedback type: feedback files)",
    ),
    "blackboard": Platform(
        "Blackboard",
        (),
        ("Username", "Student ID"),
        (),
        ("First Name",),
        ("Last Name",),
        ("Username",),
        BLACKBOARD_FILE,
        "Gradebook, Download",
        "Gradebook, Upload",
        "Blackboard takes no feedback files for a whole class; there is a folder for each student in the zip",
    ),
    "brightspace": Platform(
        "Brightspace",
        (),
        ("OrgDefinedId", "Username", "Email"),
        (),
        ("First Name",),
        ("Last Name",),
        ("OrgDefinedId", "Username"),
        BRIGHTSPACE_FOLDER,
        "Grades, Enter Grades, Export (key field: both; grade values: points grade)",
        "Grades, Enter Grades, Import",
        "the assignment, Add Feedback Files",
    ),
}


def part_of_origin(platform, path):
    """What of a file's path is the platform's own name, and all that lies below it; None where it is none of its.

    Parameters
    ----------
    platform : Platform
    path : str

    Returns
    -------
    (re.Match, str) or None
    """
    pieces = path.split("/")
    for place, piece in enumerate(pieces):
        found = platform.origin.match(piece) if platform is PLATFORMS["moodle"] else platform.origin.fullmatch(piece)
        # Older versions of Brightspace put the folder's name before the file's.
        if not found and platform is PLATFORMS["brightspace"]:
            found = platform.origin.match(piece)
        if found:
            return found, "/".join(pieces[place:])
    return None
