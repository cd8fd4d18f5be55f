// The road and the progress of whoever works here, as JupyterLab shows them: current after each check in any notebook.
//
// A notebook has saved what was known when its cell ran; what checks have said since lies in one file of the learner's,
// a line for each change (grader/judging/recording.py). The server is asked for it as long as somebody looks.

const EVERY = 2000; // milliseconds

// What checks said, line by line; a line that was cut short says nothing.
export function read(text) {
  const found = { points: {}, best: {}, library: null };
  for (const line of text.split("\n")) {
    let said = null;
    try {
      said = JSON.parse(line);
    } catch {
      continue;
    }
    if (typeof said?.check === "string" && Number.isFinite(said.points) && said.points >= 0) {
      found.points[said.check] = said.points;
      found.best[said.check] = Math.max(found.best[said.check] ?? 0, said.points);
    }
    if (Array.isArray(said?.library)) found.library = said.library;
  }
  return found;
}

// How far each notebook is: what was known when the cell ran, and what has been said since.
export function rows(data, said) {
  return data.notebooks.map(({ name, points, best, worth, problem }) => {
    const row = { name, problem, done: 0, lost: 0, exercises: 0, points: 0, all: 0 };
    for (const [exercise, full] of Object.entries(worth)) {
      const now = Math.min(said.points[exercise] ?? points[exercise] ?? 0, full);
      const once = Math.max(now, best[exercise] ?? 0, said.best[exercise] ?? 0);
      row.exercises += 1;
      row.points += now;
      row.all += full;
      if (now >= full) row.done += 1;
      else if (once >= full) row.lost += 1;
    }
    return row;
  });
}

const g = (x) => String(Number(x.toFixed(2)));
const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

export const CSS = `
  .attnlib-progress { container-type: inline-size; padding: 4px; color: var(--jp-content-font-color1); }
  .attnlib-progress a:focus-visible { outline: 3px solid var(--jp-brand-color1); outline-offset: 1px; }
  .attnlib-road { position: relative; }
  .attnlib-road a { position: absolute; border-radius: 6px; }
  .attnlib-road a:hover { box-shadow: 0 0 0 3px var(--jp-brand-color1); }
  .attnlib-road span { position: absolute; bottom: -8px; right: -6px; padding: 0 5px; border-radius: 8px; font-size: 11px;
    line-height: 16px; color: #ffffff; background: #47536b; }
  .attnlib-road .all span { background: #00694d; }
  .attnlib-chart { border-collapse: collapse; width: 100%; max-width: 860px; font-size: var(--jp-content-font-size1); }
  .attnlib-chart a { color: var(--jp-content-link-color); text-decoration: underline; }
  .attnlib-chart caption { text-align: left; font-weight: bold; padding: 4px 0 8px; }
  .attnlib-chart :is(th, td) { padding: 3px 12px 3px 0; text-align: left; font-weight: normal; white-space: nowrap; }
  .attnlib-chart .bar { width: 45%; }
  .attnlib-chart .bar div { height: 16px; border: 1px solid var(--jp-border-color1); border-radius: 4px; overflow: hidden; }
  .attnlib-chart .bar div div { height: 100%; border: 0; border-radius: 0; background: #0072b2; }
  .attnlib-chart .all .bar div div { background: #009e73; }
  .attnlib-chart .points { text-align: right; padding-right: 0; color: var(--jp-content-font-color2); }
  .attnlib-library { columns: 3 220px; max-width: 860px; margin: 6px 0; padding: 0; list-style: none; }
  .attnlib-library li { font-size: var(--jp-ui-font-size1); line-height: 1.6; }
  .attnlib-library .mine::before { content: "● "; color: #009e73; }
  .attnlib-library .not::before { content: "○ "; }
  @container (max-width: 560px) { .attnlib-chart .bar, .attnlib-chart .points { display: none; } }
`;

// A link of JupyterLab's own: a plain click opens the notebook beside the others, any other click is the browser's.
function link(lab, data, name, properties, ...children) {
  const path = lab.path(`${data.folder}/${name}.ipynb`);
  const a = make("a", { href: lab.address(path), ...properties }, ...children);
  a.addEventListener("click", (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    lab.open(path);
  });
  return a;
}

function chart(lab, data, all, library) {
  const words = (row) => {
    if (row.problem) return row.problem;
    const lost = row.lost ? `, ${row.lost} lost` : "";
    return `${row.done} of ${row.exercises} done${lost}${row.done === row.exercises ? " ✓" : ""}`;
  };
  const table = make("table", { className: "attnlib-chart" }, make("caption", {}, "Your progress"));
  for (const row of all) {
    const full = make("div");
    full.style.width = `${row.all ? (100 * row.points) / row.all : 0}%`;
    const where = make("th", { scope: "row" }, link(lab, data, row.name, {}, row.name));
    const bar = make("td", { className: "bar" }, make("div", {}, full));
    bar.setAttribute("aria-hidden", "true");
    const points = make("td", { className: "points" }, `${g(row.points)} / ${g(row.all)} points`);
    const about = make("td", row.lost ? { title: "lost: done once, and not any more" } : {}, words(row));
    table.append(make("tr", { className: row.done === row.exercises ? "all" : "" }, where, bar, about, points));
  }
  if (!library.length) return [table];
  const whose = { mine: "", off: " (off)", course: " (the course's)" };
  const list = make("ul", { className: "attnlib-library" });
  for (const [depth, name, of] of library) {
    const line = make("li", { className: of === "mine" ? "mine" : "not" }, `${name}${whose[of] ?? ""}`);
    line.style.marginLeft = `${16 * Number(depth)}px`;
    list.append(line);
  }
  return [table, make("p", {}, make("b", {}, "Your own library"), " · below a function: what it calls"), list];
}

function road(lab, data, all, picture) {
  const map = make("div", { className: "attnlib-road" }, picture);
  map.style.maxWidth = picture.style.maxWidth;
  map.style.minWidth = picture.style.minWidth;
  for (const row of all) {
    const box = data.boxes[row.name];
    if (!box) continue;
    const whole = row.done === row.exercises;
    const label = `open ${row.name}, ${row.done} of ${row.exercises} exercises done`;
    const badge = make("span", {}, whole ? "✓" : `${row.done}/${row.exercises}`);
    const a = link(lab, data, row.name, { className: whole ? "all" : "", title: label }, badge);
    a.setAttribute("aria-label", label);
    ["left", "top", "width", "height"].forEach((side, i) => {
      a.style[side] = `${Number(box[i])}%`;
    });
    map.append(a);
  }
  return [map];
}

// The picture of the road as the notebook has saved it. Of foreign markup nothing is taken but an image's own data.
function saved(markup) {
  const found = new DOMParser().parseFromString(markup, "text/html").querySelector("img.attnlib-picture");
  const source = found?.getAttribute("src") ?? "";
  if (!source.startsWith("data:image/svg+xml;base64,")) throw new Error("the map is missing; run the cell again");
  const picture = make("img", { className: "attnlib-picture", src: source, alt: found.alt, tabIndex: 0 });
  for (const side of ["maxWidth", "minWidth"]) picture.style[side] = found.style[side];
  picture.style.width = "100%";
  picture.style.display = "block";
  return picture;
}

// Draw a picture of progress into a node, and keep it current until the function that is returned is called.
//
// lab: {path(relative) -> path on the server, address(path), open(path), read(path) -> promise of text}
export function mount(node, data, markup, lab) {
  node.classList.add("attnlib-progress");
  const picture = data.view === "road" ? saved(markup) : null;
  node.style.overflowX = picture ? "auto" : "";
  let shown = null;
  const draw = (text) => {
    // Where its links lead is known once the node lies in its notebook.
    const now = `${lab.path("")}\n${text}`;
    if (now === shown) return;
    shown = now;
    const said = read(text);
    const all = rows(data, said);
    const held = [...node.querySelectorAll("a")].indexOf(document.activeElement);
    const library = said.library ?? data.library ?? [];
    node.replaceChildren(...(picture ? road(lab, data, all, picture) : chart(lab, data, all, library)));
    if (held >= 0) node.querySelectorAll("a")[held]?.focus();
  };
  draw("");
  const again = () => draw(shown.slice(shown.indexOf("\n") + 1));
  let wait = 0;
  const refresh = async () => {
    // In a hidden tab or notebook there is nothing to keep current.
    if (wait-- > 0 || document.hidden || !node.offsetParent) return;
    wait = Infinity;
    again();
    try {
      draw(await lab.read(lab.path(`${data.folder}/${data.file}`)));
      wait = 0;
    } catch {
      // No check has been run here yet, or the server is gone: what was known stays, and nobody is asked so often.
      wait = 5;
    }
  };
  const watch = new IntersectionObserver(refresh);
  watch.observe(node);
  const clock = setInterval(refresh, EVERY);
  return () => {
    watch.disconnect();
    clearInterval(clock);
  };
}
