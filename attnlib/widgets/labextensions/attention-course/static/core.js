// What all explorers share: numbers, colours, a pen that draws in SVG, handles for mouse, touch and keyboard.
//
// An explorer is a module that says what it is, and leaves the page to `mount`:
//
//   name       how Python calls it
//   advice     what to try, in one line
//   start      (data) -> state, a plain object
//   numbers    (data, state) -> what is computed, and nothing else: a test compares it with attnlib
//   sentence   (data, state, numbers) -> what the picture says, in words
//   panels     (data) -> [{name, title, width, height}], pictures of at most 340 units where they can be
//   controls   (data) -> [{kind: "range" | "choice" | "toggle" | "button" | "play", name, label, ...}]
//   draw       (panel, pen, scene) with scene = {data, state, numbers, before, set, glance, colors}
//
// `before` is {state, numbers} as they were before the last move, or null; an explorer draws it as a shadow.

// ---- numbers

export const sum = (list) => list.reduce((total, x) => total + x, 0);
export const dot = (a, b) => sum(a.map((x, i) => x * b[i]));
export const norm = (a) => Math.hypot(...a);
export const clip = (x, low, high) => Math.min(Math.max(x, low), high);
export const range = (n) => Array.from({ length: n }, (_, i) => i);
export const matmul = (A, B) => A.map((row) => B[0].map((_, j) => sum(row.map((x, k) => x * B[k][j]))));
export const transpose = (A) => A[0].map((_, j) => A.map((row) => row[j]));

// A row in which nothing is allowed (all -Infinity) gets zeros.
export function softmax(scores) {
  const largest = Math.max(...scores);
  if (largest === -Infinity) return scores.map(() => 0);
  const powers = scores.map((s) => Math.exp(s - largest));
  const total = sum(powers);
  return powers.map((p) => p / total);
}

export const entropy = (weights) => sum(weights.map((w) => (w > 0 ? -w * Math.log(w) : 0)));

// Fixed decimals, a real minus sign, never minus zero: as attnlib.plots writes numbers.
export function number(x, decimals = 2) {
  if (!Number.isFinite(x)) return x > 0 ? "∞" : x < 0 ? "−∞" : "nan";
  const text = x.toFixed(decimals);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

// Python's format "g": up to so many digits, no trailing zeros.
export const short = (x, digits = 6) => String(Number(x.toPrecision(digits)) + 0).replace("-", "−");
export const pair = (v) => `(${v.map((x) => short(Math.round(x * 100) / 100)).join(", ")})`;
export const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

// ---- colours: those of attnlib.plots.style, and a dark counterpart of each

const LIGHT = {
  dark: false, paper: "#ffffff", ink: "#1f2430", muted: "#5b6270", faint: "#d5d8de", accent: "#005a8e", shadow: "#8a93a3",
  token: "#8a93a3", query: "#0072b2", key: "#e69f00", value: "#009e73", context: "#cc79a7", scores: "#6c7a96", weights: "#3a404c",
  tokenInk: "#4a5160", queryInk: "#005a8e", keyInk: "#865a00", valueInk: "#00694d", contextInk: "#973f70", scoresInk: "#47536b",
  weightsInk: "#1f2430", negative: "#8c510a", positive: "#2f4270",
};
const DARK = {
  dark: true, paper: "#14171d", ink: "#eceef2", muted: "#aab1be", faint: "#3a404c", accent: "#7cc4f0", shadow: "#7d8594",
  token: "#8a93a3", query: "#3d9fd8", key: "#e69f00", value: "#1fb88a", context: "#d98fb8", scores: "#8c9ab6", weights: "#d5d8de",
  tokenInk: "#c3c9d3", queryInk: "#8fcbf2", keyInk: "#f2c25c", valueInk: "#6bdcb8", contextInk: "#efb5d3", scoresInk: "#bcc6d9",
  weightsInk: "#eceef2", negative: "#d9954a", positive: "#8fa8e6",
};

const channels = (color) => [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));
const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const luminance = (rgb) => dot([0.2126, 0.7152, 0.0722], rgb.map((c) => linear(c / 255)));

// From one colour to another; share 0 is the first.
export function mix(from, to, share) {
  const [a, b] = [channels(from), channels(to)];
  return "#" + a.map((x, i) => Math.round(x + (b[i] - x) * share).toString(16).padStart(2, "0")).join("");
}
// Black or white, whichever is easier to read on the colour.
export const textOn = (color) => (luminance(channels(color)) > 0.18 ? "#000000" : "#ffffff");
export const weightColor = (colors, w) => mix(colors.paper, colors.weights, clip(w, 0, 1));
export const scoreColor = (colors, s, largest) =>
  mix(colors.paper, s < 0 ? colors.negative : colors.positive, 0.85 * clip(Math.abs(s) / (largest || 1), 0, 1));

function isDark(element) {
  for (let at = element; at; at = at.parentElement || (at.getRootNode().host ?? null)) {
    const found = getComputedStyle(at).backgroundColor.match(/[\d.]+/g);
    if (found && (found.length < 4 || Number(found[3]) > 0.5)) return luminance(found.slice(0, 3).map(Number)) < 0.18;
  }
  return false;
}

// ---- the pen: whatever is drawn has a key, and what is drawn again is moved, not made anew

const SVG = "http://www.w3.org/2000/svg";

class Pen {
  constructor(svg, explorer) {
    this.svg = svg;
    this.explorer = explorer;
    this.known = new Map();
    this.width = svg.viewBox.baseVal.width;
    this.height = svg.viewBox.baseVal.height;
    // Chromium heeds `touch-action: none` of the svg only, not of what lies in it: a finger on a point would scroll the page.
    const hold = (event) => getComputedStyle(event.target).touchAction === "none" && event.preventDefault();
    svg.addEventListener("touchmove", hold, { passive: false });
    // What is taken hold of lies above all else, whatever is drawn later.
    [this.back, this.front] = [0, 1].map(() => svg.appendChild(document.createElementNS(SVG, "g")));
  }

  // For a panel whose height depends on what it shows.
  resize(height) {
    if (height === this.height) return;
    this.height = height;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${height}`);
  }

  begin() {
    this.used = new Set();
    this.back.last = this.front.last = null;
  }

  end() {
    for (const [key, element] of this.known) {
      if (this.used.has(key)) continue;
      element.remove();
      this.known.delete(key);
    }
  }

  // Any element of SVG; `on` holds what to do at events, `text` what it says, `front` that it lies above the rest.
  put(tag, key, attributes, { on = null, text = null, front = false } = {}) {
    const layer = front ? this.front : this.back;
    let element = this.known.get(key);
    if (!element) {
      element = document.createElementNS(SVG, tag);
      element.seen = {};
      this.known.set(key, element);
      for (const type of Object.keys(on || {})) element.addEventListener(type, (event) => element.on[type]?.(event));
      // Above what was drawn just before, as in a picture that is drawn anew.
      layer.insertBefore(element, layer.last ? layer.last.nextSibling : layer.firstChild);
    }
    layer.last = element;
    this.used.add(key);
    element.on = on || {};
    for (const [name, value] of Object.entries(attributes)) {
      const written = typeof value === "number" ? String(Math.round(value * 100) / 100) : value;
      if (element.seen[name] === written) continue;
      element.seen[name] = written;
      if (written === null || written === undefined) element.removeAttribute(name);
      else element.setAttribute(name, written);
    }
    // What an earlier drawing had asked for, and this one does not: a text that was bold is not bold for ever.
    for (const name in element.seen)
      if (name !== "text" && !(name in attributes)) {
        element.removeAttribute(name);
        delete element.seen[name];
      }
    if (text !== null && element.seen.text !== text) element.textContent = element.seen.text = text;
    return element;
  }

  line(key, x1, y1, x2, y2, more = {}) {
    return this.put("line", key, { x1, y1, x2, y2, stroke: this.colors.ink, "stroke-width": 1.5, ...more });
  }

  rect(key, x, y, width, height, more = {}, rest = {}) {
    return this.put("rect", key, { x, y, width: Math.max(width, 0), height: Math.max(height, 0), ...more }, rest);
  }

  circle(key, cx, cy, r, more = {}, rest = {}) {
    return this.put("circle", key, { cx, cy, r, ...more }, rest);
  }

  path(key, points, more = {}, { closed = false } = {}) {
    const d = points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`).join("") + (closed ? "Z" : "");
    return this.put("path", key, { d, fill: "none", stroke: this.colors.ink, "stroke-width": 1.5, ...more });
  }

  // anchor: start, middle, end; y is the middle of the line.
  text(key, x, y, text, more = {}) {
    const { anchor = "start", halo = false, ...rest } = more;
    const paint = halo ? { stroke: this.colors.paper, "stroke-width": halo === true ? 3 : halo, "paint-order": "stroke" } : {};
    const attributes = { x, y, fill: this.colors.ink, "text-anchor": anchor, "dominant-baseline": "central", ...paint, ...rest };
    return this.put("text", key, attributes, { text: String(text) });
  }

  arrow(key, x1, y1, x2, y2, color, { width = 2, size = 9, ...more } = {}) {
    const length = Math.hypot(x2 - x1, y2 - y1);
    if (length < 0.5) return;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const head = Math.min(size, length);
    const [bx, by] = [x2 - ux * head, y2 - uy * head];
    this.line(`${key} shaft`, x1, y1, bx, by, { stroke: color, "stroke-width": width, ...more });
    const corners = [[x2, y2], [bx - (uy * head) / 2.4, by + (ux * head) / 2.4], [bx + (uy * head) / 2.4, by - (ux * head) / 2.4]];
    this.path(`${key} head`, corners, { fill: color, stroke: "none", ...more }, { closed: true });
  }

  // Each role has a marker of its own, so that colour never tells alone.
  marker(key, role, x, y, size = 7, more = {}) {
    const at = MARKERS[role].map(([mx, my]) => [x + mx * size, y + my * size]);
    return this.path(key, at, { fill: this.colors[role], stroke: this.colors[role + "Ink"], ...more }, { closed: true });
  }

  // Where the pointer is, in the panel's units.
  place(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  // An area in which the nearest thing follows a click or a drag; a handle beside it does the same by keys.
  ground(key, x, y, width, height, move) {
    const follow = (event) => {
      const at = this.place(event);
      move(at.x, at.y);
    };
    const on = {
      pointerdown: (event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        this.explorer.remember();
        follow(event);
      },
      pointermove: (event) => event.currentTarget.hasPointerCapture(event.pointerId) && follow(event),
    };
    return this.rect(key, x, y, width, height, { fill: "transparent" }, { on });
  }

  // A point to take hold of: dragged by mouse or finger, moved by arrow keys (with Shift farther).
  //   label, value   what a screen reader says, such as "query" and "x 0.50, y 2.00"
  //   now            one number for its aria-valuenow
  //   move           (x, y) in the panel's units, while it is dragged
  //   step           (dx, dy) in key presses, up and to the right are positive
  //   done           () when it is let go
  handle(key, x, y, { label, value, now = 0, move, step, done = null, role = null, size = 8, shape = null }) {
    const [pen, explorer] = [this, this.explorer];
    if (role) this.marker(`${key} mark`, role, x, y, size, { "pointer-events": "none", ...(shape || {}) });
    this.circle(`${key} ring`, x, y, size + 6, {
      fill: "none", stroke: this.colors.muted, "stroke-dasharray": "2 3", "pointer-events": "none", class: "ring",
    });
    return this.put(
      "circle",
      key,
      {
        cx: x, cy: y, r: 18, fill: "transparent", tabindex: 0, role: "slider", class: "handle", "aria-label": label,
        "aria-valuetext": value, "aria-valuenow": String(Math.round(now * 1000) / 1000), "aria-roledescription": "point",
      },
      {
        front: true,
        on: {
          pointerdown(event) {
            event.currentTarget.setPointerCapture(event.pointerId);
            event.currentTarget.focus({ preventScroll: true, focusVisible: false });
            event.preventDefault();
            const held = pen.place(event);
            event.currentTarget.grip = [held.x - x, held.y - y]; // taken hold of beside its middle, a point does not jump
            explorer.remember();
          },
          pointermove(event) {
            if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
            const [at, grip] = [pen.place(event), event.currentTarget.grip];
            move(at.x - grip[0], at.y - grip[1]);
          },
          lostpointercapture: () => done?.(),
          keydown(event) {
            const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [];
            if (dx === undefined) return;
            event.preventDefault();
            explorer.rememberKey();
            const far = event.shiftKey ? 5 : 1;
            step(dx * far, dy * far);
            explorer.now(); // the next key, which may come before the next frame, goes on from here
          },
        },
      },
    );
  }
}

const turn = (n, radius, first = -Math.PI / 2) =>
  range(n).map((i) => {
    const r = Array.isArray(radius) ? radius[i % radius.length] : radius;
    return [r * Math.cos(first + (2 * Math.PI * i) / n), r * Math.sin(first + (2 * Math.PI * i) / n)];
  });
const PLUS = [[-0.35, -1], [0.35, -1], [0.35, -0.35], [1, -0.35], [1, 0.35], [0.35, 0.35], [0.35, 1], [-0.35, 1], [-0.35, 0.35], [-1, 0.35], [-1, -0.35], [-0.35, -0.35]];
const MARKERS = {
  token: PLUS, query: turn(20, 0.95), key: turn(4, 1.25, -Math.PI / 4), value: turn(3, 1.2), context: turn(10, [1.5, 0.62]),
  scores: turn(4, 1.15), weights: turn(4, 1.15),
};

// ---- common parts of pictures

// A plane with equal scales: draws grid and numbers, gives the way from its numbers to the panel's units and back.
export function plane(pen, { x = 34, y = 12, width = pen.width - 44, height = pen.height - 38, low, high }) {
  const scale = Math.min(width / (high[0] - low[0]), height / (high[1] - low[1]));
  const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  const toX = (v) => x + width / 2 + (v - middle[0]) * scale;
  const toY = (v) => y + height / 2 - (v - middle[1]) * scale;
  const back = (px, py) => [middle[0] + (px - x - width / 2) / scale, middle[1] - (py - y - height / 2) / scale];
  const [left, bottom] = back(x, y + height);
  const [right, top] = back(x + width, y);
  const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100].find((s) => Math.max(right - left, top - bottom) / s <= 8) ?? 200;
  const { faint, muted } = pen.colors;
  for (let t = Math.ceil(left / step) * step; t <= right + 1e-9; t += step) {
    const zero = Math.abs(t) < 1e-9;
    pen.line(`grid x ${t.toFixed(2)}`, toX(t), y, toX(t), y + height, { stroke: zero ? muted : faint, "stroke-width": zero ? 1 : 0.6 });
    pen.text(`tick x ${t.toFixed(2)}`, toX(t), y + height + 12, short(zero ? 0 : t, 3), { anchor: "middle", fill: muted, "font-size": 11 });
  }
  for (let t = Math.ceil(bottom / step) * step; t <= top + 1e-9; t += step) {
    const zero = Math.abs(t) < 1e-9;
    pen.line(`grid y ${t.toFixed(2)}`, x, toY(t), x + width, toY(t), { stroke: zero ? muted : faint, "stroke-width": zero ? 1 : 0.6 });
    pen.text(`tick y ${t.toFixed(2)}`, x - 6, toY(t), short(zero ? 0 : t, 3), { anchor: "end", fill: muted, "font-size": 11 });
  }
  return { x: toX, y: toY, back, scale, low: [left, bottom], high: [right, top] };
}

// Bars that lie, one a row: label, bar from zero, number. A shadow shows where each ended before.
export function bars(pen, key, { x = 12, y = 34, width = pen.width - 24, step = 30, labels, values, shadows = null, color, most = 1, least = 0, room = 64, decimals = 2, choose = null, chosen = null }) {
  const { ink, shadow, muted, accent } = pen.colors;
  const from = x + room;
  const scale = (width - room - 46) / (most - least || 1);
  const zero = from - least * scale;
  pen.line(`${key} zero`, zero, y - 4, zero, y + labels.length * step - 8, { stroke: muted, "stroke-width": 1 });
  labels.forEach((label, i) => {
    const [middle, value] = [y + i * step + 8, values[i]];
    const paint = typeof color === "function" ? color(i) : color;
    pen.text(`${key} label ${i}`, from - 8, middle, label, { anchor: "end", "font-weight": chosen === i ? 700 : 400 });
    pen.rect(`${key} bar ${i}`, value < 0 ? zero + value * scale : zero, middle - 8, Math.abs(value) * scale, 16, { fill: paint });
    if (shadows && Math.abs(shadows[i] - value) > 1e-9)
      pen.line(`${key} shadow ${i}`, zero + shadows[i] * scale, middle - 11, zero + shadows[i] * scale, middle + 11, { stroke: shadow, "stroke-width": 2.5, "stroke-dasharray": "3 2" });
    pen.text(`${key} number ${i}`, Math.max(zero, zero + value * scale) + 6, middle, number(value, decimals), { fill: ink, halo: 6 }); // a line of comparison may pass behind it
    if (choose)
      pen.rect(
        `${key} choose ${i}`, x, middle - step / 2, width, step,
        { fill: "transparent", stroke: chosen === i ? accent : "none", rx: 4, tabindex: 0, role: "button", class: "cell", "aria-pressed": String(chosen === i), "aria-label": `${label}, ${number(value, decimals)}` },
        { on: pressed(() => choose(i)) },
      );
  });
}

// Cells of a matrix with their numbers. With `press`, each is a button: painted by dragging, walked by arrow keys.
// `hatched(i, j)` says which cells are closed; `size` is that of the numbers; a finger on `painted` cells paints, and does not scroll.
export function matrix(pen, key, { hatched = null, size = 13, x, y, cell = [56, 34], values, rows, columns, color, decimals = 2, say = null, outlined = null, press = null, isOn = null, look = null, name = null, painted = false }) {
  const { ink, accent, faint, muted } = pen.colors;
  columns.forEach((label, j) => pen.text(`${key} column ${j}`, x + (j + 0.5) * cell[0], y - 12, label, { anchor: "middle" }));
  rows.forEach((label, i) => {
    pen.text(`${key} row ${i}`, x - 8, y + (i + 0.5) * cell[1], label, { anchor: "end" });
    values[i].forEach((value, j) => {
      const [left, top, paint] = [x + j * cell[0], y + i * cell[1], color(value, i, j)];
      const tabbed = pen.explorer.tabbed[key] ?? "0 0";
      const active = press || look;
      const brush = press ? pen.explorer.painting(key, i, j, press, isOn) : {};
      const enter = () => {
        brush.pointerenter?.();
        look(i, j);
      };
      const on = {
        ...brush,
        ...(look ? { pointerenter: enter, pointerleave: () => look(null, null), focus: () => look(i, j), blur: () => look(null, null) } : {}),
        ...(active ? { keydown: (event) => pen.explorer.walk(pen, key, i, j, event, press) } : {}),
      };
      pen.rect(
        `${key} ${i} ${j}`, left, top, cell[0] - 2, cell[1] - 2,
        {
          fill: paint, stroke: outlined?.(i, j) ? accent : faint, "stroke-width": outlined?.(i, j) ? 3 : 1, rx: 2,
          ...(active
            ? {
                tabindex: tabbed === `${i} ${j}` ? 0 : -1, class: "cell", role: press ? "button" : "img", style: painted ? "touch-action: none" : null,
                "aria-pressed": press ? String(Boolean(isOn(i, j))) : null,
                "aria-label": name ? name(i, j) : `${rows[i]}, ${columns[j]}: ${say ? say(value, i, j) : number(value, decimals)}`,
              }
            : {}),
        },
        { on },
      );
      const said = say ? say(value, i, j) : number(value, decimals);
      const halo = hatched ? { stroke: paint, "stroke-width": 5, "paint-order": "stroke" } : {};
      if (hatched) {
        const d = hatched(i, j) ? hatch(left + 1, top + 1, cell[0] - 4, cell[1] - 4) : "";
        pen.put("path", `${key} hatch ${i} ${j}`, { d, stroke: muted, "stroke-width": 1, "pointer-events": "none" });
      }
      pen.text(`${key} number ${i} ${j}`, left + cell[0] / 2 - 1, top + cell[1] / 2 - 1, said, { anchor: "middle", fill: textOn(paint), "font-size": size, "pointer-events": "none", ...halo });
    });
  });
  return ink;
}

// Lines from lower left to upper right, 9 units apart, inside a rectangle.
function hatch(x, y, width, height) {
  let d = "";
  for (let t = 9; t < width + height; t += 9) {
    const [x1, y1] = t < height ? [x, y + t] : [x + t - height, y + height];
    const [x2, y2] = t < width ? [x + t, y] : [x + width, y + t - width];
    d += `M${x1} ${y1}L${x2} ${y2}`;
  }
  return d;
}

// What to do when something is clicked, or Enter or Space pressed on it.
export const pressed = (act) => ({
  click: act,
  keydown(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  },
});

// Beneath the number of a matrix's cell the one of before, where they differ; for cells at least 42 high.
export function was(pen, key, { x, y, cell, values, before, color, decimals = 2 }) {
  values.forEach((row, i) =>
    row.forEach((value, j) => {
      const old = number(before[i][j], decimals);
      if (old === number(value, decimals)) return;
      const [middle, low] = [x + (j + 0.5) * cell[0] - 1, y + (i + 0.5) * cell[1] + 12];
      pen.text(`${key} was ${i} ${j}`, middle, low, `was ${old}`, { anchor: "middle", fill: textOn(color(value, i, j)), "font-size": 11, "pointer-events": "none" });
    }),
  );
}

// ---- the explorer in its page

const STYLE = `
  :host { display: block; max-width: 1080px; margin: 0.4em 0 0.8em; }
  .explorer { color: var(--ink); background: var(--paper); font: 14px/1.45 system-ui, "DejaVu Sans", sans-serif; border: 1px solid var(--faint); border-radius: 8px; padding: 10px 12px; }
  p { margin: 0 0 8px; max-width: 75ch; }
  .panels { display: flex; flex-wrap: wrap; gap: 6px 14px; }
  figure { margin: 0; overflow-x: auto; min-width: 0; }
  figcaption { font-weight: 600; }
  svg { display: block; width: 100%; touch-action: pan-y; font: 13px system-ui, "DejaVu Sans", sans-serif; user-select: none; -webkit-user-select: none; }
  .controls { display: flex; flex-wrap: wrap; gap: 6px 18px; align-items: center; margin: 4px 0 8px; }
  label { display: inline-flex; gap: 8px; align-items: center; flex-wrap: wrap; max-width: 100%; }
  .slide { display: inline-flex; gap: 8px; align-items: center; }
  label:has(input:disabled) { color: var(--muted); opacity: 0.6; }
  output { min-width: 3.2em; font-variant-numeric: tabular-nums; }
  input[type="range"] { width: 170px; accent-color: var(--accent); }
  button, select, input[type="text"] { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--muted); border-radius: 5px; padding: 3px 10px; min-height: 28px; max-width: 100%; box-sizing: border-box; }
  button { cursor: pointer; }
  button[aria-pressed="true"] { background: var(--accent); color: var(--paper); }
  .handle { cursor: grab; touch-action: none; } .handle:active { cursor: grabbing; }
  [role="button"].cell { cursor: pointer; }
  svg :focus:not(:focus-visible) { outline: none; }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
  .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .sentence { margin: 6px 0 0; min-height: 1.45em; }
  @media print { .controls { display: none; } }
`;

class Explorer {
  constructor(host, module, data, ask) {
    Object.assign(this, { host, module, data, ask, tabbed: {}, frames: 0, before: null, rememberedAt: -1e9, playing: null });
    this.state = module.start(data);
    this.numbers = module.numbers(data, this.state);
    this.build();
    this.theme();
    new MutationObserver(() => this.theme()).observe(document.documentElement, { attributes: true });
    new MutationObserver(() => this.theme()).observe(document.body, { attributes: true });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.theme());
  }

  build() {
    const root = this.host.shadowRoot ?? this.host.attachShadow({ mode: "open" });
    const make = (tag, attributes = {}, ...children) => {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.append(...children);
      return element;
    };
    this.make = make;
    const style = make("style");
    style.textContent = STYLE;
    this.box = make("div", { class: "explorer", role: "group", "aria-label": `Explorer: ${this.module.title ?? this.module.name}` });
    const advice = make("p", {}, make("strong", {}, "Try: "), this.module.advice);
    const panels = make("div", { class: "panels" });
    this.pens = {};
    for (const { name, title, width, height } of this.module.panels(this.data)) {
      const svg = document.createElementNS(SVG, "svg");
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.setAttribute("role", "group");
      svg.setAttribute("aria-label", title);
      // A little smaller where three would not fit side by side; below that, the frame scrolls.
      const least = Math.floor(0.82 * width); // numbers of size 11 are then 9 pixels high
      svg.style.minWidth = `${least}px`;
      const figure = make("figure", { style: `flex: 1 1 ${least}px; max-width: ${width}px` }, make("figcaption", {}, title), svg);
      panels.append(figure);
      this.pens[name] = new Pen(svg, this);
    }
    const controls = make("div", { class: "controls" });
    this.controls = this.module.controls(this.data).map((control) => this.control(control, controls));
    const back = make("button", { type: "button" }, "Back to the start");
    back.addEventListener("click", () => this.reset());
    controls.append(back);
    this.said = make("p", { class: "sentence" });
    this.live = make("div", { class: "hidden", role: "status", "aria-live": "polite" });
    this.box.append(advice, panels, controls, this.said, this.live);
    root.replaceChildren(style, this.box);
  }

  // A control of HTML, and the function that shows the state in it.
  control(control, row) {
    const { kind, name, label } = control;
    const make = this.make;
    if (kind === "range") {
      // A scale of powers: the slider holds the exponent, people read the value. `snap` keeps to round numbers.
      const fit = (x) => clip(control.snap ? control.snap(x) : x, control.min, control.max);
      const [into, from] = control.log ? [Math.log10, (x) => 10 ** x] : [(x) => x, (x) => x];
      const written = control.show ?? ((x) => short(x, 3));
      const input = make("input", { type: "range", min: into(control.min), max: into(control.max), step: control.log ? "any" : control.step, "aria-label": label });
      const output = make("output", { "aria-hidden": "true" });
      if (control.log)
        input.addEventListener("keydown", (event) => {
          const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 }[event.key];
          if (!by) return;
          event.preventDefault();
          this.rememberKey();
          this.turn(control, fit(from(into(this.state[name]) + by * (control.step ?? 0.05))));
        });
      input.addEventListener("pointerdown", () => this.remember());
      input.addEventListener("input", () => {
        this.rememberKey();
        this.turn(control, fit(from(Number(input.value))));
      });
      row.append(make("label", {}, label, make("span", { class: "slide" }, input, output))); // the number never stands alone on a line
      return () => {
        input.disabled = Boolean(control.disabled?.(this.state, this.data));
        input.value = into(this.state[name]);
        input.setAttribute("aria-valuetext", written(this.state[name]));
        output.value = written(this.state[name]);
      };
    }
    if (kind === "choice") {
      const select = make("select", { "aria-label": label });
      control.options.forEach((option, i) => select.append(make("option", { value: i }, String(option))));
      select.addEventListener("change", () => {
        this.remember();
        this.turn(control, Number(select.value));
      });
      row.append(make("label", {}, label, select));
      return () => (select.value = this.state[name]);
    }
    if (kind === "toggle") {
      const button = make("button", { type: "button" }, label);
      button.addEventListener("click", () => {
        this.remember();
        this.turn(control, !this.state[name]);
      });
      row.append(button);
      return () => button.setAttribute("aria-pressed", String(Boolean(this.state[name])));
    }
    if (kind === "text") {
      const input = make("input", { type: "text", "aria-label": label, size: control.size ?? 40 });
      // Enter is not left to the page: JupyterLab may keep it from becoming a change.
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") control.enter(input.value, this);
      });
      row.append(make("label", {}, label, input));
      return () => (input.value = this.state[name]);
    }
    const button = make("button", { type: "button" }, label);
    button.addEventListener("click", () => {
      if (kind === "play") return this.playing ? this.stop() : this.play(control);
      this.stop();
      this.remember();
      const next = control.act(this.state, this.data);
      if (next) this.set(next);
    });
    row.append(button);
    return () => {
      if (kind === "play") button.textContent = this.playing === control ? "Stop" : label;
      button.disabled = Boolean(control.disabled?.(this.state, this.data));
    };
  }

  // What a control says; `change` (value, state) says what else changes with it.
  turn(control, value) {
    this.set(control.change?.(value, this.state) ?? { [control.name]: value });
  }

  // Plays control.at(share, stateAtStart, data), which gives the state's changes, for share from 0 to 1.
  play(control) {
    this.remember();
    const first = this.state;
    this.playing = control;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.playing = null;
      return this.set(control.at(1, first, this.data));
    }
    const began = performance.now();
    const tick = (now) => {
      if (this.playing !== control || !this.host.isConnected) return;
      const share = clip((now - began) / (1000 * (control.seconds ?? 4)), 0, 1);
      if (share === 1) this.playing = null;
      this.set(control.at(share, first, this.data));
      if (share < 1) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  stop() {
    this.playing = null;
    this.soon();
  }

  // The state as it is now becomes the shadow of the move that begins.
  remember() {
    this.before = { state: this.state, numbers: this.numbers };
    this.rememberedAt = performance.now();
  }

  // Keys pressed one after the other are one move.
  rememberKey() {
    if (performance.now() - this.rememberedAt > 1000) this.remember();
    this.rememberedAt = performance.now();
  }

  set(changes) {
    this.state = { ...this.state, ...changes };
    this.soon();
  }

  // Something only looked at: no move, no shadow.
  glance(changes) {
    if (Object.entries(changes).some(([name, value]) => this.state[name] !== value)) this.set(changes);
  }

  reset() {
    this.stop();
    this.remember();
    this.set(this.module.start(this.data));
  }

  soon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => this.now());
  }

  // What has changed is drawn, if it is not drawn yet.
  now() {
    if (this.waiting) this.draw();
  }

  draw() {
    this.waiting = false;
    this.frames += 1;
    this.numbers = this.module.numbers(this.data, this.state);
    const { data, state, numbers, before, colors } = this;
    const scene = { data, state, numbers, before, colors, set: (c) => this.set(c), glance: (c) => this.glance(c), remember: () => this.remember() };
    for (const [name, pen] of Object.entries(this.pens)) {
      pen.colors = colors;
      pen.begin();
      this.module.draw(name, pen, scene);
      pen.end();
    }
    for (const show of this.controls) show();
    const said = this.module.sentence(data, state, numbers);
    if (this.said.textContent !== said) {
      this.said.textContent = said;
      clearTimeout(this.saying);
      this.saying = setTimeout(() => (this.live.textContent = said), 400); // a screen reader hears where it ends
    }
  }

  theme() {
    const dark = isDark(this.host.parentElement ?? this.host);
    if (this.colors?.dark === dark) return;
    this.colors = dark ? DARK : LIGHT;
    for (const name of ["paper", "ink", "muted", "faint", "accent"]) this.box.style.setProperty(`--${name}`, this.colors[name]);
    this.draw();
  }

  // Cells are painted: what the first one became, all others become that the pointer crosses.
  painting(key, i, j, press, isOn) {
    return {
      pointerdown: (event) => {
        event.preventDefault();
        event.currentTarget.releasePointerCapture?.(event.pointerId);
        event.currentTarget.focus({ preventScroll: true, focusVisible: false });
        this.remember();
        this.brush = { key, on: !isOn(i, j) };
        for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (this.brush = null), { once: true });
        press(i, j, this.brush.on);
      },
      pointerenter: () => {
        if (this.brush?.key === key && isOn(i, j) !== this.brush.on) press(i, j, this.brush.on);
      },
    };
  }

  // Arrow keys go from cell to cell; Enter and Space press one.
  walk(pen, key, i, j, event, press) {
    const [di, dj] = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key] ?? [];
    if (di !== undefined) {
      event.preventDefault();
      const next = pen.known.get(`${key} ${i + di} ${j + dj}`);
      if (!next) return;
      this.tabbed[key] = `${i + di} ${j + dj}`;
      this.draw();
      next.focus();
    } else if (press && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.remember();
      press(i, j, null);
    }
  }
}

// Puts an explorer into a page, in place of what its host holds (the picture of its first state).
export function mount(host, module, data, ask = null) {
  // Keys that are pressed in here are not for JupyterLab, which would take a letter for a command.
  host.setAttribute("data-lm-suppress-shortcuts", "true");
  host.explorer = new Explorer(host, module, data, ask);
  return host.explorer;
}
