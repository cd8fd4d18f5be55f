// A block taken apart: press its parts, and see what becomes of the tokens after 32 such blocks.
import { clip, dot, mix, norm, number, pressed, range, scoreColor, short, softmax, sum, weightColor } from "./core.js";

const [TOKENS, WIDTH, HEADS, DEPTH, STEP] = [12, 32, 4, 32, 1e-5];
const NORMS = ["none", "after", "before"];
const KEY = WIDTH / HEADS;

// Numbers from -√3 to √3 in one long row, the same as in attnlib.plots.blocks.
function drawn(first, count) {
  const found = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    let x = Math.imul(first + i, 2654435769);
    x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
    x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
    x = (x ^ (x >>> 16)) >>> 0;
    found[i] = ((2 * (x + 0.5)) / 2 ** 32 - 1) * Math.sqrt(3);
  }
  return found;
}

let known = null;
function network() {
  if (known) return known;
  const shapes = [...range(4).map(() => [WIDTH, WIDTH]), [WIDTH, 4 * WIDTH], [4 * WIDTH, WIDTH]];
  let place = TOKENS * WIDTH;
  const blocks = range(DEPTH).map(() =>
    shapes.map(([rows, columns]) => {
      const numbers = drawn(place, rows * columns);
      place += rows * columns;
      const root = Math.sqrt(rows);
      return { columns, rows: range(rows).map((i) => numbers.subarray(i * columns, (i + 1) * columns).map((x) => x / root)) };
    }),
  );
  const input = drawn(0, TOKENS * WIDTH);
  return (known = { X: range(TOKENS).map((i) => input.subarray(i * WIDTH, (i + 1) * WIDTH)), blocks });
}

function times(X, { rows, columns }) {
  return X.map((x) => {
    const found = new Float64Array(columns);
    for (let k = 0; k < x.length; k++) {
      const [factor, row] = [x[k], rows[k]];
      for (let j = 0; j < columns; j++) found[j] += factor * row[j];
    }
    return found;
  });
}

function normed(X) {
  return X.map((x) => {
    let [mean, variance] = [0, 0];
    for (const one of x) mean += one / x.length;
    for (const one of x) variance += (one - mean) ** 2 / x.length;
    const root = Math.sqrt(variance + 1e-12);
    return x.map((one) => (one - mean) / root);
  });
}

// As attnlib.erf: Abramowitz and Stegun, 7.1.26.
function gelu(x) {
  const z = x / Math.SQRT2;
  const size = Math.min(Math.abs(z), 10);
  const t = 1 / (1 + 0.3275911 * size);
  const p = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return (x * (1 + Math.sign(z) * (1 - p * Math.exp(-size * size)))) / 2;
}

function attention(X, [W_q, W_k, W_v, W_o]) {
  const [Q, K, V] = [W_q, W_k, W_v].map((W) => times(X, W));
  const heard = X.map(() => new Float64Array(WIDTH));
  for (let from = 0; from < WIDTH; from += KEY)
    Q.forEach((q, i) => {
      const scores = K.map((k) => {
        let score = 0;
        for (let c = from; c < from + KEY; c++) score += q[c] * k[c];
        return score / Math.sqrt(KEY);
      });
      softmax(scores).forEach((w, j) => {
        for (let c = from; c < from + KEY; c++) heard[i][c] += w * V[j][c];
      });
    });
  return times(heard, W_o);
}

const plus = (A, B) => A.map((a, i) => a.map((x, j) => x + B[i][j]));
function states(X, parts) {
  const found = [X];
  for (const block of network().blocks) {
    const sublayers = [
      [parts.attention, parts.first, (A) => attention(A, block)],
      [parts.units, parts.second, (A) => times(times(A, block[4]).map((row) => row.map(gelu)), block[5])],
    ];
    for (const [there, path, sublayer] of sublayers) {
      if (!there) continue;
      const said = sublayer(parts.norm === 2 ? normed(X) : X);
      X = path ? plus(X, said) : said;
      if (parts.norm === 1) X = normed(X);
    }
    found.push(X);
  }
  return found;
}

function cosines(X) {
  const lengths = X.map(norm);
  return X.map((x, i) => X.map((y, j) => (i === j ? 1 : dot(Array.from(x), Array.from(y)) / lengths[i] / lengths[j])));
}
const between = (C) => (sum(C.map((row) => sum(row))) - TOKENS) / (TOKENS * (TOKENS - 1));

// Whoever drags the depth asks for the same network again and again.
const runs = new Map();
function run(parts) {
  const key = JSON.stringify([parts.attention, parts.units, parts.first, parts.second, parts.norm]);
  if (!runs.has(key)) {
    const { X } = network();
    const other = X.map((x, i) => x.map((one, j) => one + ((i + j) % 2 ? -STEP : STEP)));
    const [here, there] = [states(X, parts), states(other, parts)];
    const apart = here.map((A, l) => norm(A.flatMap((a, i) => Array.from(a, (x, j) => x - there[l][i][j]))));
    const tables = here.map(cosines);
    runs.set(key, {
      tables, alike: tables.map(between), lengths: here.map((A) => sum(A.map(norm)) / TOKENS), change: apart.map((x) => x / apart[0]),
    });
  }
  return runs.get(key);
}

const PARTS = [["attention", "attention"], ["first", "its path"], ["units", "feed-forward layer"], ["second", "its path"]];
const list = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0]);
// As Python's format ".3g", with a power of ten where it is long.
export const told = (x) => {
  if (x === 0) return "0";
  if (x >= 1e-3 && x < 1e4) return short(x, 3);
  const [digits, exponent] = x.toExponential(1).split("e");
  return `${digits}·10${[...String(Number(exponent))].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("")}`;
};

function made(state) {
  const there = [];
  if (state.attention) there.push(state.first ? "attention with its path" : "attention without its path");
  if (state.units) there.push(state.second ? "feed-forward layer with its path" : "feed-forward layer without its path");
  if (!there.length) return "nothing";
  return `${list(there)}, ${state.norm ? `norm ${NORMS[state.norm]}` : "no norm"}`;
}

export default {
  name: "depth",
  title: "a block taken apart, and what 32 of them do",
  advice: "press a part of the block to take it out or put it in, and a dashed place to move the norms there. Then drag the mark along the curve.",
  start: () => ({ attention: true, units: true, first: true, second: true, norm: 1, depth: 8, at: null }),

  numbers(data, state) {
    const { tables, alike, lengths, change } = run(state);
    return { alike, lengths, change, cosines: tables[state.depth] };
  },

  sentence: (data, state, { alike, lengths, change }) =>
    `In each block: ${made(state)}. After ${state.depth} of ${DEPTH} blocks the mean cosine between two tokens is ${number(alike[state.depth])}, ` +
    `a row is ${told(lengths[state.depth])} long, and a small change of the input has become ${told(change[state.depth])} times as large.`,

  panels: () => [
    { name: "block", title: "One block: press its parts", width: 306, height: 356 },
    { name: "alike", title: "How alike the tokens are", width: 306, height: 300 },
    { name: "table", title: "Cosines between tokens", width: 306, height: 320 },
    { name: "size", title: "A row, and a small change", width: 306, height: 300 },
  ],
  controls: () => [{ kind: "play", label: "Play: deeper and deeper", seconds: 5, at: (share) => ({ depth: Math.round(DEPTH * share) }) }],

  draw(panel, pen, { state, numbers, before, colors, set, glance, remember }) {
    const { muted, faint, ink, accent, paper, shadow } = colors;
    const small = { "font-size": 11, fill: muted };
    const { depth } = state;
    if (panel === "block") {
      const [x, wide, side] = [44, 150, 262];
      const turn = (changes) => pressed(() => {
        remember();
        set(changes);
      });
      const box = (key, y, label, there, color, changes, said, fontSize = 13) => {
        pen.rect(key, x, y, wide, 30, {
          fill: there ? mix(paper, color, 0.28) : paper, stroke: there ? color : muted, "stroke-width": there ? 2 : 1.2, rx: 6, "stroke-dasharray": there ? null : "4 4",
          tabindex: 0, role: "button", class: "cell", "aria-pressed": String(there), "aria-label": said,
        }, { on: turn(changes) });
        pen.text(`${key} said`, x + wide / 2, y + 15, label, { anchor: "middle", "pointer-events": "none", "font-size": fontSize, fill: there ? ink : muted, "font-weight": there ? 600 : 400 });
      };
      const middle = x + wide / 2;
      const half = (top, key, path, name, color, label) => {
        pen.line(`${key} way`, middle, top - 4, middle, top + 160, { stroke: ink });
        const there = state[path];
        // The path round the sublayer, and the place where both meet.
        pen.path(`${key} path`, [[middle, top + 6], [side, top + 6], [side, top + 98], [middle + 11, top + 98]], { stroke: there ? accent : faint, "stroke-width": there ? 3 : 1.5, "stroke-dasharray": there ? null : "4 4" });
        pen.rect(`${key} path press`, side - 34, top + 30, 68, 44, {
          fill: paper, stroke: there ? accent : muted, "stroke-width": there ? 2 : 1.2, "stroke-dasharray": there ? null : "4 4", rx: 6, tabindex: 0, role: "button", class: "cell",
          "aria-pressed": String(there), "aria-label": `path round the ${label}`,
        }, { on: turn({ [path]: !there }) });
        pen.text(`${key} path said`, side, top + 46, "path", { anchor: "middle", "pointer-events": "none", fill: there ? ink : muted, "font-weight": there ? 600 : 400 });
        pen.text(`${key} path how`, side, top + 61, there ? "there" : "cut", { anchor: "middle", "pointer-events": "none", "font-size": 11, fill: there ? ink : muted });
        const normAt = (which, y) => box(`${key} norm ${which}`, y, state.norm === which ? "norm" : "(no norm)", state.norm === which, colors.token, { norm: state.norm === which ? 0 : which }, `norm ${NORMS[which]} the ${label}`, 12);
        normAt(2, top + 14);
        box(`${key} layer`, top + 50, label, state[name], color, { [name]: !state[name] }, label);
        pen.circle(`${key} sum`, middle, top + 98, 10, { fill: paper, stroke: there ? accent : faint, "stroke-width": 2 });
        pen.text(`${key} plus`, middle, top + 98, "+", { anchor: "middle", fill: there ? ink : muted });
        normAt(1, top + 113);
      };
      pen.text("in", middle, 9, "tokens come in", { anchor: "middle", ...small });
      half(20, "one", "first", "attention", colors.query, "attention");
      half(180, "two", "second", "units", colors.value, "feed-forward layer");
      pen.arrow("out", middle, 322, middle, 339, ink);
      pen.text("out said", middle, 347, `and go on: ${DEPTH} such blocks`, { anchor: "middle", ...small });
    } else if (panel === "alike" || panel === "size") {
      const [left, right, top, bottom] = [42, 284, 34, 250];
      const toX = (l) => left + (l / DEPTH) * (right - left);
      const logs = panel === "size";
      const seen = logs ? [...numbers.lengths, ...numbers.change].filter((v) => v > 0).map(Math.log10) : [];
      const [low, high] = logs ? [Math.min(-1, Math.floor(Math.min(...seen))), Math.max(2, Math.ceil(Math.max(...seen)))] : [-0.1, 1];
      const toY = (v) => bottom - ((clip(logs ? Math.log10(Math.max(v, 1e-99)) : v, low, high) - low) / (high - low)) * (bottom - top);
      if (logs) {
        const step = Math.ceil((high - low) / 6);
        for (let e = low; e <= high; e += step) {
          pen.line(`grid ${e}`, left, toY(10 ** e), right, toY(10 ** e), { stroke: e ? faint : muted, "stroke-width": e ? 0.7 : 1.2 });
          pen.text(`tick ${e}`, left - 5, toY(10 ** e), told(10 ** e).replace("1.0·", ""), { anchor: "end", ...small });
        }
      } else
        for (const v of [0, 0.25, 0.5, 0.75, 1]) {
          pen.line(`grid ${v}`, left, toY(v), right, toY(v), { stroke: v ? faint : muted, "stroke-width": v ? 0.7 : 1.2 });
          pen.text(`tick ${v}`, left - 5, toY(v), short(v), { anchor: "end", ...small });
        }
      for (const l of [0, 8, 16, 24, 32]) pen.text(`block ${l}`, toX(l), bottom + 14, l, { anchor: "middle", ...small });
      pen.text("axis", (left + right) / 2, bottom + 32, "blocks", { anchor: "middle", ...small });
      const curve = (key, values, more) => pen.path(key, values.map((v, l) => [toX(l), toY(v)]), more);
      const lines = logs
        ? [["lengths", colors.token, null, "row"], ["change", colors.context, "6 4", "change"]]
        : [["alike", colors.weights, null, ""]];
      lines.forEach(([name, color, dashes], i) => {
        if (before && before.numbers[name].some((v, l) => Math.abs(v - numbers[name][l]) > 1e-9))
          curve(`${name} before`, before.numbers[name], { stroke: shadow, "stroke-dasharray": "3 3", "stroke-width": 1.2 });
        curve(name, numbers[name], { stroke: color, "stroke-width": 2.8, "stroke-dasharray": dashes });
      });
      pen.line("here", toX(depth), top, toX(depth), bottom, { stroke: accent, "stroke-dasharray": "4 3" });
      const drag = {
        move: (px) => set({ depth: clip(Math.round(((px - left) / (right - left)) * DEPTH), 0, DEPTH) }),
        step: (dx, dy) => set({ depth: clip(depth + dx + dy, 0, DEPTH) }),
      };
      if (logs) {
        const [row, change] = [told(numbers.lengths[depth]), told(numbers.change[depth])];
        pen.line("key row", 8, 9, 26, 9, { stroke: colors.token, "stroke-width": 2.8 });
        pen.text("key row said", 31, 9, `row ${row}`, { "font-size": 12, "font-weight": 600 });
        pen.line("key change", 136, 9, 156, 9, { stroke: colors.context, "stroke-width": 2.8, "stroke-dasharray": "6 4" });
        pen.text("key change said", 161, 9, `change × ${change}`, { "font-size": 12, "font-weight": 600 });
        lines.forEach(([name, color], i) => pen.circle(`at ${name}`, toX(depth), toY(numbers[name][depth]), 5, { fill: color, stroke: paper }));
      } else {
        const value = numbers.alike[depth];
        pen.text("said", left, 9, `after ${depth}: mean cosine ${number(value)}`, { "font-weight": 600 });
        pen.handle("depth", toX(depth), toY(value), {
          label: "depth", value: `${depth} blocks, mean cosine ${number(value)}`, now: depth, role: "weights", size: 6, ...drag,
        });
      }
    } else {
      const [x, y, cell] = [28, 34, 22];
      const at = state.at;
      pen.text("how", x, 9, at ? `tokens ${at[0] + 1} and ${at[1] + 1}: ${number(numbers.cosines[at[0]][at[1]])}` : "strong: the same direction; point at a cell", at ? { "font-weight": 600 } : small);
      range(TOKENS).forEach((i) => {
        pen.text(`row ${i}`, x - 5, y + (i + 0.5) * cell, i + 1, { anchor: "end", ...small });
        range(TOKENS).forEach((j) => {
          const value = numbers.cosines[i][j];
          const here = at && at[0] === i && at[1] === j;
          const tabbed = (pen.explorer.tabbed.table ?? "0 0") === `${i} ${j}`;
          const look = () => glance({ at: [i, j] });
          pen.rect(`table ${i} ${j}`, x + j * cell, y + i * cell, cell - 1.5, cell - 1.5, {
            fill: value < 0 ? scoreColor(colors, value, 1) : weightColor(colors, value), stroke: here ? accent : "none", "stroke-width": 3, rx: 2,
            tabindex: tabbed ? 0 : -1, role: "img", class: "cell", "aria-label": `tokens ${i + 1} and ${j + 1}: ${number(value)}`,
          }, { on: { pointerenter: look, focus: look, pointerleave: () => glance({ at: null }), blur: () => glance({ at: null }), keydown: (event) => pen.explorer.walk(pen, "table", i, j, event) } });
        });
      });
      pen.text("after", x + 6 * cell, y + TOKENS * cell + 13, depth ? `after block ${depth}` : "before the first block", { anchor: "middle", ...small });
    }
  },
};
