"""LaTeX formulas as MathML: a feedback page shows its formulas without a script and without a network.

What the course's notebooks use is known; a formula with anything else is for the caller to show as it was written.
"""

import re
from html import escape

TOKEN = re.compile(r"\\[a-zA-Z]+\*?|\\.|\d+(?:\.\d+)?|\S", re.DOTALL)
LONGEST, DEEPEST = 2_000, 40

LETTERS = {
    **{
        name: chr(0x3B1 + i)
        for i, name in enumerate(
            ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
             "nu", "xi", "omicron", "pi", "rho", "varsigma", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"]
        )
    },
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ",
    "Psi": "Ψ", "Omega": "Ω", "partial": "∂", "nabla": "∇", "infty": "∞", "ell": "ℓ", "top": "⊤", "emptyset": "∅",
    "varepsilon": "ε", "varphi": "φ",
}  # fmt: skip
SIGNS = {
    "cdot": "⋅", "times": "×", "to": "→", "rightarrow": "→", "leftarrow": "←", "gets": "←", "Rightarrow": "⇒",
    "mapsto": "↦", "approx": "≈", "sim": "∼", "equiv": "≡", "ne": "≠", "neq": "≠", "le": "≤", "leq": "≤", "ge": "≥",
    "geq": "≥", "ll": "≪", "gg": "≫", "in": "∈", "notin": "∉", "subset": "⊂", "cup": "∪", "cap": "∩", "pm": "±",
    "mp": "∓", "odot": "⊙", "otimes": "⊗", "oplus": "⊕", "circ": "∘", "ast": "∗", "star": "⋆", "propto": "∝",
    "forall": "∀", "exists": "∃", "dots": "…", "ldots": "…", "cdots": "⋯", "vdots": "⋮", "ddots": "⋱", "mid": "|",
    "perp": "⟂", "prime": "′", "colon": ":", "backslash": "\\",
}  # fmt: skip
FENCES = {
    "lVert": "‖", "rVert": "‖", "Vert": "‖", "|": "‖", "lvert": "|", "rvert": "|", "vert": "|", "langle": "⟨",
    "rangle": "⟩", "{": "{", "}": "}", "lbrace": "{", "rbrace": "}", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈",
    "rceil": "⌉", "(": "(", ")": ")", "[": "[", "]": "]", ".": "",
}  # fmt: skip
SUMS = {"sum": "∑", "prod": "∏", "int": "∫", "bigcup": "⋃", "bigcap": "⋂"}
FUNCTIONS = {"exp", "log", "ln", "sin", "cos", "tan", "sinh", "cosh", "tanh", "dim", "det", "ker", "arg", "Pr"}
LIMITS = {"max", "min", "sup", "inf", "lim", "argmax", "argmin"}  # what stands below them is set below them
SPACES = {",": 0.17, ":": 0.22, ";": 0.28, "!": -0.17, " ": 0.25, "quad": 1, "qquad": 2, "enspace": 0.5, "\n": 0.25}
ACCENTS = {"bar": "¯", "overline": "¯", "hat": "^", "widehat": "^", "tilde": "~", "vec": "→", "dot": "˙"}
TEXTS = {
    "text",
    "textrm",
    "textbf",
    "texttt",
    "mathrm",
    "mathit",
    "mathbf",
    "mathsf",
    "mathbb",
    "mathcal",
    "operatorname",
}
BOLD = {"mathbf", "textbf"}
SCRIPT = {"E": "ℰ", "L": "ℒ", "H": "ℋ", "O": "𝒪"}
DOUBLE = {"R": "ℝ", "N": "ℕ", "Z": "ℤ", "E": "𝔼", "P": "ℙ"}
TABLES = {
    "matrix": ("", ""), "pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "vmatrix": ("|", "|"), "cases": ("{", ""),
    "aligned": ("", ""), "align": ("", ""), "align*": ("", ""), "equation": ("", ""), "equation*": ("", ""),
}  # fmt: skip
# What is a sign by its look alone; the keyboard's minus and star are not what a formula shows.
OPERATORS = {**{sign: sign for sign in "+=<>/:,;.!?()[]|"}, "-": "−", "*": "∗"}


class NotKnown(ValueError):
    """A formula with something that is not translated."""


def mathml(latex, block=False):
    r"""A formula as MathML.

    Attributes are written without quotation marks, so that the markup cannot end an attribute that it is put into.

    Parameters
    ----------
    latex : str
        The formula, without its dollar signs.
    block : bool
        Set it on a line of its own.

    Raises
    ------
    NotKnown
        If something in the formula is not translated, or the formula is broken.

    Examples
    --------
    >>> mathml(r"\frac{e^{s_j}}{n}")
    '<math><mfrac><msup><mi>e</mi><msub><mi>s</mi><mi>j</mi></msub></msup><mi>n</mi></mfrac></math>'
    """
    if len(latex) > LONGEST:
        raise NotKnown("the formula is too long")
    reader = _Reader(TOKEN.findall(latex), latex, block)
    body = reader.row()
    if reader.next is not None:
        raise NotKnown(f"unexpected {reader.next}")
    return f"<math{' display=block' if block else ''}>{body}</math>"


class _Reader:
    """Reads the tokens of one formula from left to right."""

    def __init__(self, tokens, latex, block):
        self.tokens, self.at, self.depth = tokens, 0, 0
        # Spaces are no tokens, but they count inside \text{...}.
        self.starts = [match.start() for match in TOKEN.finditer(latex)]
        self.latex, self.block = latex, block

    @property
    def next(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, expected=None):
        token = self.next
        if token is None or expected not in (None, token):
            raise NotKnown(f"expected {expected or 'more'}; got {token}")
        self.at += 1
        return token

    def row(self, ends=()):
        """Everything up to one of `ends` (or the end), as one element."""
        parts = []
        while self.next is not None and self.next not in ("}", "&", r"\\", r"\right", r"\end", *ends):
            parts.append(self.scripted())
        return parts[0] if len(parts) == 1 else "<mrow>" + "".join(parts) + "</mrow>"

    def scripted(self):
        """One element with what stands above and below it."""
        token = self.next
        base = "<mrow></mrow>" if token in ("^", "_") else self.atom()
        name = (token or "").lstrip("\\")
        below, above, primes = None, None, 0
        while self.next in ("^", "_", "'"):
            mark = self.take()
            if mark == "'":
                primes += 1
            elif mark == "_" and below is None:
                below = self.argument()
            elif mark == "^" and above is None:
                above = self.argument()
            else:
                raise NotKnown(f"two of {mark}")
        if primes:
            sign = f"<mo>{'′' * primes}</mo>"
            above = sign if above is None else f"<mrow>{sign}{above}</mrow>"
        stacked = self.block and token.startswith("\\") and (name in LIMITS or name in SUMS.keys() - {"int"})
        under, over, both = ("munder", "mover", "munderover") if stacked else ("msub", "msup", "msubsup")
        if below is not None and above is not None:
            return f"<{both}>{base}{below}{above}</{both}>"
        if below is not None:
            return f"<{under}>{base}{below}</{under}>"
        return base if above is None else f"<{over}>{base}{above}</{over}>"

    def argument(self):
        """What belongs to a command or a script: a group, or the next element."""
        if self.next == "{":
            self.take()
            body = self.row()
            self.take("}")
            return body
        if self.next is not None and self.next[0].isdigit():
            self.split()
        return self.atom()

    def split(self):
        """Make a token of the first digit of a number: without braces, a command takes no more."""
        number, start = self.next, self.starts[self.at]
        rest = list(TOKEN.finditer(number, 1))
        self.tokens[self.at : self.at + 1] = [number[0], *(match[0] for match in rest)]
        self.starts[self.at : self.at + 1] = [start, *(start + match.start() for match in rest)]

    def atom(self):
        """One element without scripts."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise NotKnown("the formula is too deep")
        shown = self.argument() if self.next == "{" else self.symbol()
        self.depth -= 1
        return shown

    def symbol(self):
        """What one token stands for, with the arguments that it takes."""
        token = self.take()
        if token[0] == "\\":
            return self.command(token[1:])
        if token[0].isdigit():
            return f"<mn>{token}</mn>"
        if token in OPERATORS:
            stretches = " stretchy=false" if token in "()[]|" else ""
            return f"<mo{stretches}>{escape(OPERATORS[token])}</mo>"
        if token in SIGNS.values():
            return f"<mo>{token}</mo>"
        if token in "^_&}~$%#'\"":
            raise NotKnown(f"unexpected {token}")
        return f"<mi>{escape(token)}</mi>"

    def command(self, name):
        if name in LETTERS:
            return f"<mi>{LETTERS[name]}</mi>"
        if name in SIGNS:
            return f"<mo>{SIGNS[name]}</mo>"
        if name in FENCES:
            return f"<mo stretchy=false>{FENCES[name]}</mo>"
        if name in SUMS:
            return f"<mo>{SUMS[name]}</mo>"
        if name in FUNCTIONS | LIMITS:
            after = 0 if self.next in ("(", "[", r"\left") else 0.17
            return f"<mo lspace=0.17em rspace={after}em>{name}</mo>"
        if name in SPACES:
            return f"<mspace width={SPACES[name]}em></mspace>"
        if name in TEXTS:
            return self.text(name)
        if name in ("frac", "tfrac", "dfrac"):
            size = {"frac": "", "tfrac": " displaystyle=false", "dfrac": " displaystyle=true"}[name]
            fraction = f"<mfrac>{self.argument()}{self.argument()}</mfrac>"
            return f"<mstyle{size}>{fraction}</mstyle>" if size else fraction
        if name == "sqrt":
            return self.root()
        if name in ACCENTS:
            return f"<mover accent=true>{self.argument()}<mo>{ACCENTS[name]}</mo></mover>"
        if name == "left":
            return self.fenced()
        if name == "begin":
            return self.table()
        if len(name) == 1 and name in "_%#&$":
            return f"<mo>{escape(name)}</mo>"
        raise NotKnown(f"\\{name} is not translated")

    def text(self, name):
        words = self.braced()
        if name == "mathbb" and words in DOUBLE:
            return f"<mi>{DOUBLE[words]}</mi>"
        if name == "mathcal" and words in SCRIPT:
            return f"<mi>{SCRIPT[words]}</mi>"
        # A space at an end of <mtext> would be dropped.
        shown = escape(words.replace(r"\_", "_").replace(" ", "\u00a0"))
        if "\\" in shown or "$" in shown:
            raise NotKnown("a command in a text")
        if name in BOLD:
            return f"<mstyle style=font-weight:bold><mtext>{shown}</mtext></mstyle>"
        return f"<mtext>{shown}</mtext>"

    def braced(self):
        """The words between braces, with their spaces."""
        self.take("{")
        start, deep = self.at, 1
        while deep:
            deep += {"{": 1, "}": -1}.get(self.take(), 0)
        # Between the braces, as it was written: the last token taken is the closing one.
        return self.latex[self.starts[start - 1] + 1 : self.starts[self.at - 1]]

    def root(self):
        if self.next != "[":
            return f"<msqrt>{self.argument()}</msqrt>"
        self.take("[")
        degree = self.row(ends=("]",))
        self.take("]")
        return f"<mroot>{self.argument()}{degree}</mroot>"

    def fence(self):
        token = self.take()
        if token.lstrip("\\") not in FENCES and token not in ("|", "/"):
            raise NotKnown(f"{token} is no fence")
        return "|" if token == "|" else FENCES.get(token.lstrip("\\"), token)

    def fenced(self):
        left = self.fence()
        body = self.row()
        self.take(r"\right")
        return _between(left, body, self.fence())

    def table(self):
        name = self.braced()
        if name not in TABLES:
            raise NotKnown(f"{name} is not translated")
        rows = [[self.row()]]
        while self.next in ("&", r"\\"):
            if self.take() == "&":
                rows[-1].append(self.row())
            else:
                rows.append([self.row()])
        self.take(r"\end")
        if self.braced() != name:
            raise NotKnown(f"{name} has no end")
        if rows[-1] == ["<mrow></mrow>"]:
            rows.pop()
        side = " style=text-align:left" if name == "cases" else ""
        body = "".join("<mtr>" + "".join(f"<mtd{side}>{cell}</mtd>" for cell in row) + "</mtr>" for row in rows)
        return _between(TABLES[name][0], f"<mtable>{body}</mtable>", TABLES[name][1])


def _between(left, body, right):
    """An element between fences that are as high as it is; "" stands for none."""
    fences = [f"<mo stretchy=true fence=true>{escape(sign)}</mo>" if sign else "" for sign in (left, right)]
    return f"<mrow>{fences[0]}{body}{fences[1]}</mrow>"
