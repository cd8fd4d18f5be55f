"""The instructor's page of a part: one HTML file that needs nothing beside it.

Whatever stems from a submission, its file names and its folder's name goes through `said`, which leaves nothing that
a browser could take for more than text.
"""

import base64
import hashlib
from html import escape

from grader.report.markup import (
    FOR_QUARTILES,
    PEOPLE_SHOWN,
    STATES,
    column,
    count,
    count_points,
    first_lines,
    heat,
    histogram,
    number_text,
    part_title,
    people,
    percent,
    said,
    seconds_text,
    sentence,
    stack,
    who,
)
from grader.report.style import SCRIPT, STYLE

NAMES_SHOWN = 4  # in a line; more are folded
MISTAKES_SHOWN = 6  # in an exercise; more are folded
SLOWEST = 5
HEADINGS = {
    "tomorrow": "In class tomorrow",
    "standing": "Where the class stands",
    "mistakes": "What the class misunderstands",
    "marks": "Marks",
    "look": "Worth a look",
    "times": "Time",
}


PERSONAL = ("marks", "look", "times")


def page(summary, by_hand, link, csv, without_record=()):
    """The page as text; the same arguments give the same text.

    Parameters
    ----------
    summary : ClassSummary
    by_hand : dict of str to float
        The points that a person gave, by student.
    link : callable
        Takes a student, a notebook and an exercise's id ("" for none); returns the address, relative to the page, of
        the feedback on it, or "".
    csv : str
        Address of the table of marks.
    without_record : sequence of str
        Students who handed in but are not in the summary.

    Returns
    -------
    str
    """
    return _Page(summary, by_hand, link).whole(csv, without_record)


class _Page:
    def __init__(self, summary, by_hand, link):
        self.summary, self.by_hand, self.link = summary, by_hand, link
        self.records, self.outline = summary.records, summary.outline
        self.students = [record.student for record in self.records]
        self.place = {student: i for i, student in enumerate(self.students)}
        self.anchor = {exercise.id: f"ex{i}" for i, exercise in enumerate(summary.exercises)}
        self.unmarked = [student for student in self.students if student not in by_hand]
        given = [by_hand[student] for student in self.students if student in by_hand]
        # A person can change automatic points as well, in a part without written questions.
        self.by_hand_shown = bool(given) and (bool(summary.written_points) or any(given))

    def whole(self, csv, without_record):
        title = part_title(self.summary.part)
        body = [self._head(title), self._alarms(without_record)]
        if self.records:
            body += [
                self._tiles(),
                self._nav(),
                self._section("tomorrow", self._tomorrow()),
                self._section("standing", self._standing()),
                self._section("mistakes", self._mistakes()),
                self._section("marks", self._marks(csv)),
                self._section("look", self._look()),
                self._section("times", self._times()),
            ]
        else:
            body.append(f'<p class="notice">No submission of {said(title)} has been graded yet.</p>')
        policy = (
            f"default-src 'none'; style-src '{_hash(STYLE)}'; script-src '{_hash(SCRIPT)}'; "
            "base-uri 'none'; form-action 'none'"
        )
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="referrer" content="no-referrer">\n'
            f"<title>{said(title)} · {count(len(self.records), 'submission')}</title>\n"
            f"<style>{STYLE}</style>\n</head>\n<body>\n" + "\n".join(body) + "\n"
            "<footer>Points are those of the automatically checked exercises unless it says otherwise. "
            "This page holds names and marks: keep it to yourself.</footer>\n"
            f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
        )

    def _section(self, name, content):
        kind = ' class="personal"' if name in PERSONAL else ""
        return f'<section id="{name}"{kind}>\n<h2>{HEADINGS[name]}</h2>\n{content}\n</section>'

    def _code(self, exercise):
        return f"<code>{said(exercise).replace('_', '_<wbr>')}</code>"

    def _link(self, student, notebook, exercise, words):
        address = self.link(student, notebook, exercise)
        return f'<a href="{escape(address)}">{words}</a>' if address else words

    def _names(self, students, notebook, exercise):
        """Students in a line, each a link to what they did; folded where they are many."""
        names = ", ".join(self._link(student, notebook, exercise, who(student)) for student in students)
        if len(students) > NAMES_SHOWN:
            return (
                f'<details class="names personal"><summary>{count(len(students), "student")}</summary>{names}</details>'
            )
        return f'<span class="names personal">{names}</span>'

    # ---- the top

    def _head(self, title):
        written = self.outline.written
        checked = sum(map(len, self.outline.checks.values()))
        words = (
            f"Report for the instructor. {count(len(self.outline.titles), 'notebook')}, "
            f"{count(checked, 'checked exercise')} for {count_points(self.summary.full_marks)}"
        )
        if written:
            questions = count(len(written), "written question")
            words += f", {questions} for {count_points(self.summary.written_points)}"
        return f'<header>\n<h1>{said(title)}</h1>\n<p class="quiet">{words}.</p>\n</header>'

    def _alarms(self, without_record):
        parts = []
        outside = [record.student for record in self.records if not record.sandboxed]
        if outside:
            submissions = count(len(self.records), "submission")
            if len(outside) == len(self.records):
                which, names = f"All of {submissions}" if len(outside) > 1 else "The only submission", ""
            else:
                which, names = f"{len(outside)} of {submissions}", f" {self._names(outside, '', '')}"
            parts.append(
                '<div class="alarm" role="note"><strong>Graded WITHOUT the sandbox</strong>'
                f"{which} ran with all that your own account may do, so a submission could have changed its marks, "
                "those of others, or your files. Before you rely on these marks, install bubblewrap and grade again."
                f"{names}</div>"
            )
        if without_record:
            names = ", ".join(who(student) for student in without_record)
            if len(without_record) > PEOPLE_SHOWN:
                names = f"<details><summary>who</summary>{names}</details>"
            many = len(without_record) > 1
            parts.append(
                f'<div class="notice" role="note"><b>{count(len(without_record), "submission")} '
                f"{'are' if many else 'is'} not in this report,</b> for want of a sound record: not graded yet, or the "
                f"record is damaged. Grading the part again adds {'them' if many else 'it'}: "
                f'<span class="personal">{names}</span></div>'
            )
        return "\n".join(parts)

    def _tiles(self):
        summary = self.summary
        tiles = [self._handed_in(), *self._averages(), self._to_look_at()]
        if summary.written_points:
            tiles.append(self._to_mark())
        items = "".join(f"<li><b>{value}</b><span>{words}{more}</span></li>" for value, words, more in tiles)
        return f'<ul class="tiles">{items}</ul>'

    def _averages(self):
        summary, points = self.summary, [record.points for record in self.records]
        full = f"<small>of {number_text(summary.full_marks)}</small>"
        if len(points) == 1:
            share = percent(points[0], summary.full_marks)
            return [(f"{number_text(points[0])} {full}", f"points in the checked exercises, {share}", "")]
        first, median, third = (number_text(value, 1) for value in summary.quartiles)
        middle = f"; the middle half of the class has {first} to {third}" if len(points) >= FOR_QUARTILES else ""
        return [
            (f"{median} {full}", "median", middle),
            (
                f"{number_text(summary.mean, 1)} {full}",
                f"mean, {percent(summary.mean, summary.full_marks)}",
                f"; from {number_text(min(points), 1)} to {number_text(max(points), 1)}",
            ),
        ]

    def _handed_in(self):
        missing = sum(notebook.status == "missing" for record in self.records for notebook in record.notebooks.values())
        words = "submission" if len(self.records) == 1 else "submissions"
        if missing:
            return len(self.records), words, f"; {count(missing, 'notebook')} of theirs not handed in"
        return len(self.records), words, ", with every notebook"

    def _to_look_at(self):
        failures = sum(record.troubled for record in self.records)
        repairs = sum(record.repaired for record in self.records)
        if not failures and not repairs:
            return 0, "failures or repairs: every file was in order", ""
        look = '<a href="#look">failure worth a look</a>'
        words = f"{'submission' if failures == 1 else 'submissions'} with a {look}"
        return failures, words, f"; {repairs} needed a repair" if repairs else "; no repairs"

    def _to_mark(self):
        written, left = self.outline.written, len(self.unmarked)
        questions = ", ".join(f"{self._code(one)} ({count_points(points)})" for _, one, points in written)
        questions = questions or count_points(self.summary.written_points)
        if not left:
            given = sum(self.by_hand[student] for student in self.students) / len(self.students)
            full = f"<small>of {number_text(self.summary.written_points)}</small>"
            return f"{number_text(given, 1)} {full}", f"mean of what was marked by hand: {questions}", ""
        answers = left * max(len(written), 1)
        words = f"written {'answer' if answers == 1 else 'answers'} still to be marked: {questions}. "
        return answers, words, f"In formgrader: Manual Grading, {self._code(self.summary.part)}"

    def _nav(self):
        links = "".join(
            f'<a href="#{name}"{" class=personal" if name in PERSONAL else ""}>{words}</a>'
            for name, words in HEADINGS.items()
        )
        return (
            f'<nav aria-label="Sections">{links}<label><input type="checkbox" id="in-class" autocomplete="off">'
            "Hide names and marks</label></nav>"
        )

    # ---- what the class misunderstands

    def _tomorrow(self):
        topics = self.summary.topics()
        if not topics:
            return "<p>No mistake was recognised in any submission.</p>"
        items = []
        for topic in topics:
            advice = topic.advice
            places = ", ".join(
                f'<a href="#{self.anchor[one]}">{self._code(one)}</a> ({number})' for one, number in topic.places
            )
            cause = f"<p><b>Why it matters.</b> {sentence(advice.cause)}</p>" if advice.cause else ""
            cure = f"<p><b>What to do.</b> {sentence(advice.cure)}</p>" if advice.cure else ""
            items.append(
                f"<li><h3>{_quoted(advice.looks_like)}</h3>"
                f"<small>{count(len(topic.students), 'student')}, {count_points(round(topic.cost, 1))} lost, in "
                f"{places}</small>"
                f"{cause}{cure}</li>"
            )
        what = {1: "The mistake", 2: "The two mistakes", 3: "The three mistakes"}[len(topics)]
        return (
            f"<p>{what} that cost the class most, over all exercises, in the words of the check. Those who made "
            f"{'it' if len(topics) == 1 else 'them'} are told the same on their feedback pages.</p>"
            f'<ol class="topics">{"".join(items)}</ol>'
        )

    def _mistakes(self):
        parts = [
            "<p>By exercise: how many hold each mistake, and who. The check compares an answer that fails with those "
            "that each known mistake gives on the same inputs; an answer can show two mistakes, and counts for both. "
            "Press a mistake for its cause and cure; a name leads to the student's work.</p>"
        ]
        for notebook, title in self.outline.titles.items():
            exercises = [one for one in self.summary.exercises if one.notebook == notebook]
            parts.append(f"<h3>{said(title)} <small>{said(notebook)}</small></h3>")
            perfect = [one for one in exercises if len(one.full) == len(self.records)]
            untouched = [one for one in exercises if len(one.skipped) == len(self.records)]
            parts += [self._exercise(one) for one in exercises if one not in perfect and one not in untouched]
            for some, words in ((perfect, "Full marks for everybody"), (untouched, "Attempted by nobody")):
                if some:
                    # The table above leads here too.
                    names = ", ".join(f'<span id="{self.anchor[one.id]}">{self._code(one.id)}</span>' for one in some)
                    parts.append(f"<p>{words}: {names}.</p>")
        return "\n".join(parts)

    def _exercise(self, exercise):
        standing = f"{count_points(exercise.max_points)}; {len(exercise.full)} of {len(self.records)} with full marks"
        task = f"<small>{sentence(exercise.task)}</small>" if exercise.task else ""
        start = (
            f'<section class="exercise" id="{self.anchor[exercise.id]}"><header>'
            f"<h4>{self._code(exercise.id)}</h4>{task}<small>{standing}</small></header>"
        )
        if not (exercise.mistakes or exercise.unrecognised or exercise.unjudged):
            names = self._names(exercise.skipped, exercise.notebook, exercise.id)
            return f'{start}<div class="quiet">{len(exercise.skipped)} not attempted: {names}</div></section>'
        rows = [self._row(exercise, one.students, _advice(one.advice)) for one in exercise.mistakes]
        folded = rows[MISTAKES_SHOWN:] if len(rows) > MISTAKES_SHOWN + 2 else []
        rows = rows[: len(rows) - len(folded)]
        for students, words in (
            (exercise.unrecognised, "failed, and no known mistake was recognised"),
            (exercise.skipped, "not attempted"),
            (exercise.unjudged, 'no verdict <span class="personal">(<a href="#look">why</a>)</span>'),
        ):
            if students:
                rows.append(self._row(exercise, students, words, plain=True))
        table = (
            f'<table><caption class="hidden">Mistakes in {said(exercise.id)}</caption>'
            '<colgroup><col class="count"><col class="chart"><col><col class="holders"></colgroup>'
            '<thead class="hidden"><tr><th scope="col">students</th><th scope="col">as a bar</th>'
            '<th scope="col">mistake</th><th scope="col">who</th></tr></thead><tbody>'
        )
        rest = ""
        if folded:
            holders = {student for one in exercise.mistakes[-len(folded) :] for student in one.students}
            words = f"{count(len(folded), 'more mistake')}, of {count(len(holders), 'student')}"
            rest = f"<details><summary>{words}</summary>{table}{''.join(folded)}</tbody></table></details>"
        return f"{start}{table}{''.join(rows)}</tbody></table>{rest}</section>"

    def _row(self, exercise, students, words, plain=False):
        width = number_text(100 * len(students) / len(self.records))
        bar = (
            '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
            f'<rect class="{"grey" if plain else "blue"}" width="{width}" height="10"/></svg>'
        )
        return (
            f'<tr{" class=plain" if plain else ""}><td class="number count">{len(students)}</td>'
            f'<td class="chart">{bar}</td><th scope="row">{words}</th>'
            f'<td class="holders">{self._names(students, exercise.notebook, exercise.id)}</td></tr>'
        )

    # ---- where the class stands

    def _standing(self):
        shown = {
            name: words
            for name, words in STATES.items()
            if name != "unjudged" or any(one.unjudged for one in self.summary.exercises)
        }
        keys = "".join(
            f'<th scope="col" class="number"><span class="key {name}"></span>{words}</th>'
            for name, words in shown.items()
        )
        groups = []
        for notebook, title in self.outline.titles.items():
            rows = []
            for exercise in self.summary.exercises:
                if exercise.notebook != notebook:
                    continue
                numbers = {name: len(getattr(exercise, name)) for name in shown}
                cells = "".join(f'<td class="number">{number or "·"}</td>' for number in numbers.values())
                mean, full = exercise.mean, exercise.max_points
                rows.append(
                    f'<tr><th scope="row"><a href="#{self.anchor[exercise.id]}">{self._code(exercise.id)}</a></th>'
                    f"<td>{stack(exercise.id, numbers)}</td>{cells}"
                    f'<td class="number">{number_text(full)}</td><td class="number">{percent(mean, full)}</td></tr>'
                )
            groups.append(
                f'<tbody class="group"><tr><th scope="rowgroup" colspan="{len(shown) + 4}">{said(title)}</th></tr>'
                f"{''.join(rows)}</tbody>"
            )
        points = [record.points for record in self.records]
        drawn = histogram(points, self.summary.full_marks, self.summary.quartiles)
        return drawn + (
            '<table class="wide"><caption class="hidden">Students by exercise and result</caption><colgroup>'
            f'<col class="exercise-name"><col>{"".join("<col class=state>" for _ in shown)}<col class="share">'
            '<col class="share"></colgroup><thead><tr>'
            f'<th scope="col">exercise</th><th scope="col">the class</th>{keys}'
            '<th scope="col" class="number">points</th><th scope="col" class="number">mean</th></tr></thead>'
            f"{''.join(groups)}</table>"
        )

    # ---- marks

    def _marks(self, csv):
        written, shown = self.summary.written_points, self.by_hand_shown
        fulls = {name: sum(checks.values()) for name, checks in self.outline.checks.items()}
        heads = "".join(column(name, f"of {number_text(full)}") for name, full in fulls.items())
        heads += column("checked", f"of {number_text(self.summary.full_marks)}")
        if shown:
            heads += column("by hand", f"of {number_text(written)}" if written else "changed")
            heads += column("total", f"of {number_text(self.summary.full_marks + written)}")
        rows = "".join(self._student(record, fulls) for record in self.records)
        means = [
            sum(record.notebooks[name].points for record in self.records if name in record.notebooks) for name in fulls
        ]
        means.append(sum(record.points for record in self.records))
        means = "".join(f'<td class="number">{number_text(value / len(self.records), 1)}</td>' for value in means)
        if shown:
            given = [self.by_hand[student] for student in self.students if student in self.by_hand]
            mean = number_text(sum(given) / len(given), 1)
            total = "–" if self.unmarked else number_text(self.summary.mean + sum(given) / len(given), 1)
            means += f'<td class="number">{mean}</td><td class="number">{total}</td>'
        waiting = ""
        if written and self.unmarked:
            waiting = (
                " A total in brackets still lacks the written answers."
                if shown
                else f" The written answers ({count_points(written)}) come on top."
            )
            waiting += f" <code>python -m grader report {said(self.summary.part)}</code> counts what has been marked."
        return (
            "<p>A number leads to the student's feedback page, or to the graded notebook where there is none yet. The "
            f'more orange a cell, the fewer of its points were earned.{waiting} <a href="{escape(csv)}">The table as '
            "CSV</a>, for a spreadsheet or a learning platform.</p>"
            '<div class="box" role="region" aria-label="Marks" tabindex="0"><table data-sortable>'
            '<caption class="hidden">Points by student and notebook</caption>'
            f'<thead><tr><th scope="col">student</th>{heads}<th scope="col">look at</th></tr></thead>'
            f'<tbody>{rows}</tbody><tfoot><tr><th scope="row">mean</th>{means}<td></td></tr></tfoot></table></div>'
        )

    def _student(self, record, fulls):
        student, place = record.student, self.place[record.student]
        cells = []
        for name, full in fulls.items():
            notebook = record.notebooks.get(name)
            if notebook is None:
                cells.append('<td class="number">–</td>')
                continue
            status = {"graded": "", "missing": "missing", "unreadable": "unreadable"}.get(notebook.status, "failed")
            number = self._link(student, name, "", number_text(notebook.points))
            status = f" <small>{status}</small>" if status else ""
            cells.append(f'<td class="number {heat(notebook.points, full)}">{number}{status}</td>')
        points, full = record.points, self.summary.full_marks
        cells.append(f'<td class="number sum {heat(points, full)}">{number_text(points)}</td>')
        if self.by_hand_shown:
            given = self.by_hand.get(student)
            if given is None:
                cells.append(f'<td class="number">–</td><td class="number sum">({number_text(points)})</td>')
            else:
                written = self.summary.written_points
                cells.append(
                    f'<td class="number {heat(given, written) if written else ""}">{number_text(given)}</td>'
                    f'<td class="number sum {heat(points + given, full + written)}">{number_text(points + given)}</td>'
                )
        flags = [f'<a href="#f{place}">failure</a>'] if record.troubled else []
        flags += [f'<a href="#r{place}">repair</a>'] if record.repaired else []
        flags += ["time limit"] if record.stopped else []
        return f'<tr><th scope="row">{who(student)}</th>{"".join(cells)}<td class="flags">{", ".join(flags)}</td></tr>'

    # ---- repairs, failures, times

    def _look(self):
        failures, repairs, unjudged, missing = [], [], [], {}
        for place, record in enumerate(self.records):
            student, failed, mended, reasons = record.student, [], first_lines(record.notes), {}
            for name, notebook in record.notebooks.items():
                lead = f"<code>{said(name)}</code>: "
                failed += first_lines(notebook.failures or _why(notebook), lead)
                mended += first_lines(notebook.repairs, lead)
                if notebook.status == "missing":
                    missing.setdefault(name, []).append(student)
                if notebook.status not in ("graded", "missing"):
                    continue  # its failure says why none of its exercises has a verdict
                for result in notebook.exercises:
                    if result.unjudged:
                        reasons.setdefault(result.reason, []).append(self._code(result.id))
            if record.troubled:
                failures.append((f"f{place}", student, failed or ["An exercise has no verdict: see below."]))
            if mended:
                repairs.append((f"r{place}", student, mended))
            if reasons:
                lines = [f"{', '.join(exercises)}: {sentence(reason)}" for reason, exercises in reasons.items()]
                unjudged.append((f"u{place}", student, lines))
        parts = []
        if failures:
            parts.append(
                f"<h3>Failures <small>{count(len(failures), 'submission')}</small></h3><p>Something could not be read "
                f"or did not run to its end. It cost what it touched, and nothing else.</p>{people(failures)}"
            )
        if unjudged:
            parts.append(
                f"<h3>Exercises without a verdict <small>{count(len(unjudged), 'submission')}</small>"
                f"</h3><p>They count as no points, for the reason given.</p>{people(unjudged)}"
            )
        if missing:
            lines = "".join(
                f'<p class="fine"><code>{said(name)}</code>: {self._names(students, name, "")}</p>'
                for name, students in sorted(missing.items())
            )
            parts.append(f"<h3>Notebooks that were not handed in</h3>{lines}")
        if repairs:
            parts.append(
                f"<h3>Repairs <small>{count(len(repairs), 'submission')}</small></h3><p>Put right or set aside "
                f"before grading. The submitted files are as they were.</p>{people(repairs)}"
            )
        return "\n".join(parts) or "<p>Nothing failed and nothing had to be repaired.</p>"

    def _times(self):
        timed = [(sum(record.seconds.values()), record) for record in self.records]
        halted = [(total, record) for total, record in timed if record.stopped]
        others = sorted(
            ((total, record) for total, record in timed if not record.stopped),
            key=lambda one: (-one[0], self.place[one[1].student]),
        )
        parts = []
        if others:
            middle = others[len(others) // 2][0]
            parts.append(
                f"<p>Half of the submissions that ended by themselves took {seconds_text(middle)} or less each. "
                f"{'The slowest' if len(others) > 1 else 'It'}:</p>{_time_table(others[:SLOWEST])}"
            )
        if halted:
            parts.append(
                f"<h3>Stopped at a time limit <small>{count(len(halted), 'submission')}</small></h3>"
                "<p>A cell or a function of theirs did not come to an end by itself. Not counted above.</p>"
                + _fold_table(halted)
            )
        return "\n".join(parts)


def _quoted(words):
    """A mistake as a heading: the check's "you ..." in quotation marks."""
    return f"“{sentence(words)}”" if words.startswith("you") else sentence(words[:1].upper() + words[1:])


def _advice(advice):
    """A mistake; cause and cure unfold below it."""
    words = sentence(advice.looks_like)
    if not advice.cause and not advice.cure:
        return words
    cause = sentence(advice.cause)
    told = (
        f"<p><b>Why it matters.</b> {cause}</p><p><b>What to do.</b> {sentence(advice.cure)}</p>"
        if advice.cure
        else f"<p>{cause}</p>"
    )
    return f'<details><summary>{words}</summary><div class="advice">{told}</div></details>'


def _why(notebook):
    """What to say of a notebook that was not graded and has no failures: the reason that its exercises have."""
    if notebook.status in ("graded", "missing"):
        return []
    return list(dict.fromkeys(one.reason for one in notebook.exercises if one.reason)) or ["not graded"]


def _time_table(timed):
    rows = []
    for total, record in timed:
        seconds = record.seconds
        learner = seconds.get("learner", 0.0) + seconds.get("calls", 0.0)
        judge = seconds.get("judge", 0.0) + seconds.get("pictures", 0.0)
        rest = max(total - learner - judge, 0.0)
        rows.append(
            f'<tr><th scope="row">{who(record.student)}</th>'
            + "".join(f'<td class="number">{seconds_text(value)}</td>' for value in (total, learner, judge, rest))
            + "</tr>"
        )
    titles = ("in all", "in their own code", "the judge", "the rest")
    heads = "".join(f'<th scope="col" class="number">{words}</th>' for words in titles)
    return (
        f'<table class="lined"><thead><tr><th scope="col">student</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _fold_table(timed):
    if len(timed) <= PEOPLE_SHOWN:
        return _time_table(timed)
    return f"<details><summary>{count(len(timed), 'student')}</summary>{_time_table(timed)}</details>"


def _hash(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
