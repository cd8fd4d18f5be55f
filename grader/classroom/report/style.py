"""How the instructor's page looks, and the little that moves in it. The colours are Okabe and Ito's."""

FULL, PART, NONE, SKIPPED, UNJUDGED = "#009E73", "#E69F00", "#D55E00", "#56B4E9", "#CC79A7"
BLUE = "#0072B2"


def _heat():
    """Backgrounds for shares of 0 to 10 tenths: orange where little was earned, blue where much was."""
    strengths = [(213, 94, 0, (5 - tenth) * 0.09) for tenth in range(5)]
    strengths += [(0, 114, 178, (tenth - 5) * 0.07) for tenth in range(5, 11)]
    return "\n".join(
        f".h{i} {{ background: rgba({r}, {g}, {b}, {a:.2f}); }}" for i, (r, g, b, a) in enumerate(strengths)
    )


STYLE = f"""
:root {{
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c2127; --quiet: #5a636e; --line: #d9dee4; --card: #f5f7f9; --link: #005f96;
  --alarm: #a33a00; --alarm-paper: #fff1e6; --bar: {BLUE};
}}
@media screen and (prefers-color-scheme: dark) {{
  :root {{
    --paper: #15181c; --ink: #e7eaee; --quiet: #a4adb8; --line: #343b44; --card: #1d2228; --link: #7cc4f0;
    --alarm: #ffb07a; --alarm-paper: #3a2213; --bar: #3b9fd8;
  }}
}}
* {{ box-sizing: border-box; }}
body {{
  margin: 0 auto; padding: 1.5rem 2rem 4rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: break-word;
}}
h1 {{ margin: 0; font-size: 1.9rem; line-height: 1.2; }}
h2 {{ margin: 3rem 0 0.4rem; padding-top: 0.9rem; border-top: 1px solid var(--line); font-size: 1.4rem; }}
h3 {{ margin: 2rem 0 0.4rem; font-size: 1.1rem; }}
h4 {{ margin: 0; }}
h4 code {{ font-weight: 600; }}
p {{ margin: 0.4rem 0; max-width: 46rem; }}
a {{ color: var(--link); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }}
a:has(> code) {{ text-underline-offset: 0.3em; }}
code {{ font: 0.92em ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }}
small, .quiet {{ color: var(--quiet); }}
small {{ font-size: 0.875rem; }}
.number, td.number, th.number {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
.hidden {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }}
.who {{ overflow-wrap: anywhere; }}
:focus-visible {{ outline: 2px solid var(--bar); outline-offset: 2px; }}

nav {{ display: flex; flex-wrap: wrap; gap: 0.3rem 1.15rem; align-items: baseline; margin: 1.2rem 0 0; }}
nav label {{ margin-left: auto; white-space: nowrap; color: var(--quiet); font-size: 0.875rem; cursor: pointer; }}
nav button {{ padding: 0; border: 0; background: none; color: var(--link); font: inherit; font-size: 0.875rem;
  cursor: pointer; text-decoration: underline; text-underline-offset: 0.15em; }}
nav input {{ margin: 0 0.35em 0 0; vertical-align: -0.1em; accent-color: var(--bar); }}

.alarm {{
  margin: 1rem 0; padding: 0.9rem 1.2rem; border: 3px solid {NONE}; border-radius: 6px;
  background: var(--alarm-paper);
}}
.alarm strong {{ display: block; color: var(--alarm); font-size: 1.35rem; line-height: 1.3; }}
.notice {{
  margin: 1rem 0; padding: 0.6rem 1rem; border-left: 5px solid {PART}; background: var(--card); border-radius: 4px;
}}

.tiles {{
  display: flex; flex-wrap: wrap; gap: 0.8rem; margin: 1.2rem 0 0;
  padding: 0; list-style: none;
}}
.tiles li {{ flex: 1 1 11.5rem; padding: 0.8rem 1rem; border-radius: 8px; background: var(--card); }}
.tiles b {{ display: block; font-size: 1.75rem; line-height: 1.25; font-variant-numeric: tabular-nums; }}
.tiles b small {{ font-size: 1rem; font-weight: 400; }}
.tiles code {{ white-space: nowrap; }}
.tiles span {{ display: block; color: var(--quiet); font-size: 0.875rem; line-height: 1.4; }}

.topics {{
  display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 1rem; margin: 0.8rem 0 0;
  padding: 0; list-style: none;
}}
.topics > li {{ padding: 0.9rem 1.1rem 1rem; border: 1px solid var(--line); border-top: 5px solid var(--bar);
  border-radius: 6px; background: var(--card); }}
pre {{ margin: 0.4rem 0; padding: 0.5rem 0.8rem; overflow-x: auto; border: 1px solid var(--line); }}
.topics h3 {{ margin: 0.1rem 0 0.3rem; font-size: 1.08rem; line-height: 1.35; }}
.topics p {{ margin: 0.55rem 0 0; }}

.scroll {{ overflow-x: auto; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; font-weight: 400; }}
thead th {{ color: var(--quiet); font-size: 0.875rem; vertical-align: bottom; line-height: 1.3; }}
table.lined th, table.lined td {{ border-bottom: 1px solid var(--line); }}
table.wide {{ width: 100%; }}
.key {{ display: inline-block; width: 0.75em; height: 0.75em; margin-right: 0.35em; border-radius: 2px; }}
.full {{ fill: {FULL}; background: {FULL}; }}
.part {{ fill: {PART}; background: {PART}; }}
.none {{ fill: {NONE}; background: {NONE}; }}
.skipped {{ fill: {SKIPPED}; background: {SKIPPED}; }}
.unjudged {{ fill: {UNJUDGED}; background: {UNJUDGED}; }}
svg {{ display: block; max-width: 100%; }}
svg text {{ fill: var(--ink); font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }}
svg .quiet {{ fill: var(--quiet); }}
.blue {{ fill: var(--bar); }}
.rule {{ fill: var(--line); }}
.grey {{ fill: var(--quiet); opacity: 0.5; }}
.stack {{ width: 100%; height: 0.95rem; margin-top: 0.3rem; }}
.histogram {{ width: 100%; max-width: 46rem; height: auto; margin: 0.8rem 0; }}
#standing table {{ table-layout: fixed; }}
#standing th.number {{ white-space: normal; }}
#standing th, #standing td {{ padding-left: 0.35rem; padding-right: 0.35rem; }}
#standing th[scope=row] {{ overflow-wrap: anywhere; }}
col.exercise-name {{ width: 21%; }}
#standing thead th {{ overflow-wrap: normal; }}
col.state {{ width: 5.2rem; }}
col.share {{ width: 4rem; }}
#standing tbody.group th[colspan] {{ padding-top: 1.1rem; font-weight: 600; }}

.exercise {{ margin: 1.3rem 0 1.6rem; }}
.exercise header {{ display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; padding-bottom: 0.25rem; }}
.exercise header small:last-child {{ margin-left: auto; }}
.exercise header h4 {{ font-size: 1.02rem; }}
.exercise div.quiet {{ border-top: 1px solid var(--line); padding: 0.2rem 0.6rem 0; font-size: 0.92rem; }}
.exercise div.quiet details {{ display: inline-block; }}
.exercise table {{ width: 100%; table-layout: fixed; }}
.exercise td, .exercise th {{ border-top: 1px solid var(--line); overflow-wrap: anywhere; }}
col.count {{ width: 3.4rem; }}
col.chart {{ width: 13%; }}
col.holders {{ width: 30%; }}
.exercise td.count {{ font-weight: 600; }}
.exercise .plain td.count, .exercise .plain th {{ font-weight: 400; color: var(--quiet); }}
.bar {{ width: 100%; height: 0.8rem; margin-top: 0.35rem; }}
.advice {{ margin: 0.3rem 0 0.4rem; padding: 0.15rem 0.9rem 0.35rem; border-left: 3px solid var(--line); }}
.advice p {{ margin: 0.3rem 0; font-size: 0.94rem; }}
summary {{ cursor: pointer; color: var(--link); font-size: 0.9rem; }}
summary:hover {{ text-decoration: underline; }}
th summary {{ color: inherit; font-size: inherit; list-style: none; }}
th summary::-webkit-details-marker {{ display: none; }}
th summary::after {{ content: " \\25B8"; color: var(--link); }}
th details[open] > summary::after {{ content: " \\25BE"; }}
.names, .names summary {{ font-size: 0.92rem; line-height: 1.5rem; }}
.fine {{ margin: 0.2rem 0; }}

.box {{ overflow: auto; max-width: 100%; max-height: 46rem; margin: 0.8rem 0; border: 1px solid var(--line);
  border-radius: 6px; }}
.box table {{ width: 100%; border-collapse: separate; border-spacing: 0; overflow-wrap: normal; }}
.box th, .box td {{ border-bottom: 1px solid var(--line); }}
.box thead th {{ position: sticky; top: 0; z-index: 2; background: var(--card); }}
.box tfoot th, .box tfoot td {{ position: sticky; bottom: 0; z-index: 2; background: var(--card);
  border-top: 1px solid var(--line); border-bottom: 0; }}
.box th:first-child {{ position: sticky; left: 0; z-index: 1; background: var(--paper); min-width: 9rem;
  max-width: 18rem; overflow-wrap: anywhere; }}
.box thead th:first-child, .box tfoot th:first-child {{ z-index: 3; background: var(--card); }}
.box td a {{ color: inherit; text-decoration-style: dotted; }}
.box td small {{ color: inherit; }}
.box td.sum {{ font-weight: 600; }}
.box .flags {{ white-space: normal; min-width: 7rem; }}
.box .flags a {{ color: var(--link); text-decoration-style: solid; }}
button.sort {{ padding: 0; border: 0; background: none; color: inherit; font: inherit; text-align: inherit;
  cursor: pointer; }}
button.sort::after {{ content: " \\2195"; opacity: 0.55; }}
th[aria-sort=ascending] button.sort::after {{ content: " \\2191"; opacity: 1; }}
th[aria-sort=descending] button.sort::after {{ content: " \\2193"; opacity: 1; }}
{_heat()}

dl.people {{ margin: 0.4rem 0; }}
dl.people {{ columns: 2 27rem; column-gap: 2.5rem; }}
dl.people > div {{ padding-bottom: 0.6rem; break-inside: avoid; }}
dl.people dt {{ font-weight: 600; }}
dl.people dd {{ margin: 0.1rem 0 0 1.2rem; }}
dl.people :target, tr:target > * {{ background: color-mix(in srgb, {PART} 30%, transparent); }}
footer {{ margin-top: 3rem; padding-top: 0.9rem; border-top: 1px solid var(--line); color: var(--quiet);
  font-size: 0.875rem; }}

body:has(#in-class:checked) .personal, body:has(#in-class:checked) .who {{ display: none; }}

@media (max-width: 60rem) {{
  body {{ padding: 1rem 1.1rem 3rem; }}
  col.state {{ width: 4.7rem; }}
  col.share {{ width: 3.6rem; }}
  #standing thead th {{ font-size: 0.8rem; }}
}}
@media print {{
  @page {{ margin: 14mm; }}
  html {{ font-size: 9pt; }}
  body {{ max-width: none; padding: 0; print-color-adjust: exact; -webkit-print-color-adjust: exact; }}
  nav, button.sort::after {{ display: none; }}
  button.sort {{ display: contents; }}  /* a head that is repeated on a page shows no buttons */
  tfoot {{ display: table-row-group; }}  /* once, at the end */
  h2, h3, .exercise header {{ break-after: avoid; }}
  .tiles li, .topics > li, .alarm, tr, .exercise header, dt {{ break-inside: avoid; }}
  .topics {{ grid-template-columns: repeat(3, 1fr); }}
  .scroll {{ overflow: visible; }}
  .box {{ overflow: visible; max-height: none; border: 0; }}
  .box thead th, .box tfoot, .box tfoot th, .box tfoot td, .box th:first-child {{ position: static; }}
  a, .box .flags a {{ color: inherit; text-decoration: none; }}
}}
"""

# Without scripts the table stays by student, and what is folded is unfolded one by one.
SCRIPT = """
const nav = document.querySelector("nav");
if (nav) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Unfold all";
  button.addEventListener("click", () => {
    const open = button.textContent === "Unfold all";
    document.querySelectorAll("details").forEach((one) => { one.open = open; });
    button.textContent = open ? "Fold all" : "Unfold all";
  });
  nav.append(button);
}
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const headers = [...table.tHead.rows[0].cells];
  headers.forEach((header, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...header.childNodes);
    header.append(button);
    const numeric = header.classList.contains("number");
    const value = (row) => {
      const text = row.cells[column].textContent.trim();
      if (!numeric) return text;
      const number = parseFloat(text.replace("(", ""));
      return Number.isNaN(number) ? -1 : number;
    };
    const compare = (a, b) => (numeric ? value(a) - value(b) : value(a).localeCompare(value(b)));
    button.addEventListener("click", () => {
      // A second press turns the order round; numbers begin with the smallest: who needs help comes first.
      const down = header.getAttribute("aria-sort") === "ascending";
      headers.forEach((other) => other.removeAttribute("aria-sort"));
      header.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...[...rows].sort((a, b) => (down ? compare(b, a) : compare(a, b))));
    });
  });
}
"""
