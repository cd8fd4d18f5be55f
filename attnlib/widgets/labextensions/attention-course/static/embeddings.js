// A walk from one word to another, and the words that are near on the way.
import { clip, number, range, sum } from "./core.js";

// Dot products of the words to walk between with all words that may be near, and the lengths of both.
const dots = ({ products, scale }, word) => products[word].map((x) => x / scale);

function cosines(data, start, end, t) {
  const [a, b] = [dots(data, start), dots(data, end)];
  const { lengths, own } = data;
  const ab = b[own[start]];
  const length = Math.sqrt((1 - t) ** 2 * lengths[own[start]] ** 2 + 2 * t * (1 - t) * ab + t ** 2 * lengths[own[end]] ** 2);
  return { length, cosines: lengths.map((one, w) => ((1 - t) * a[w] + t * b[w]) / (one * length)) };
}

const ranked = (values, k) => range(values.length).sort((i, j) => values[j] - values[i] || i - j).slice(0, k);

// Curves over the whole way are the same as long as the two words are.
const known = {};
function along(data, start, end) {
  const key = `${start} ${end}`;
  if (known.key !== key || known.data !== data) {
    const steps = range(41).map((i) => cosines(data, start, end, i / 40).cosines);
    Object.assign(known, { key, data, steps });
  }
  return known.steps;
}

const COLORS = ["query", "key", "value", "context", "scores"];
const DASHES = [null, "7 3", "2 3", "9 3 2 3", "4 4"];

export default {
  name: "embeddings",
  title: "a walk between two words",
  advice: "drag the query along its way, or play it. When do its neighbours change places? Then choose other words.",
  start: ({ start, end }) => ({ start, end, t: 0 }),

  numbers(data, { start, end, t }) {
    const { length, cosines: all } = cosines(data, start, end, t);
    const nearest = ranked(all, data.k);
    return { length, nearest, cosines: nearest.map((w) => all[w]) };
  },

  sentence({ words, offered }, { start, end, t }, { nearest, cosines: values }) {
    const [from, to] = [offered[start], offered[end]];
    const share = `${Math.round(100 * t)} percent of the way`;
    const place = t === 0 ? `At ${from}` : t === 1 ? `At ${to}` : t === 0.5 ? `Halfway from ${from} to ${to}` : `${share} from ${from} to ${to}`;
    return `${place}. Nearest by cosine: ${nearest.map((w, i) => `${words[w]} ${number(values[i])}`).join(", ")}.`;
  },

  panels: ({ offered, k }) => [
    { name: "map", title: "How near to each end", width: 306, height: 306 },
    { name: "ranking", title: "Nearest words", width: 280, height: 40 + 27 * k },
    { name: "curves", title: "Cosines on the way", width: 306, height: 306 },
  ],
  controls: ({ offered }) => [
    { kind: "choice", name: "start", label: "from", options: offered },
    { kind: "choice", name: "end", label: "to", options: offered },
    { kind: "range", name: "t", label: "how far", min: 0, max: 1, step: 0.02, show: (t) => t.toFixed(2) },
    { kind: "play", label: "Walk", seconds: 5, at: (share) => ({ t: Math.round(share * 100) / 100 }) },
  ],

  draw(panel, pen, { data, state, numbers, before, colors, set }) {
    const { words, offered, own } = data;
    const { start, end, t } = state;
    const steps = along(data, start, end);
    const step = (dx, dy) => set({ t: clip(Math.round((t + 0.02 * (dx + dy)) * 100) / 100, 0, 1) });
    const told = `${number(t)} of the way, nearest ${words[numbers.nearest[0]]}`;
    const sameWay = before && before.state.start === start && before.state.end === end;
    if (panel === "map") {
      const [left, top, side] = [50, 14, 246];
      const [from, to] = [steps[0], steps[40]];
      const low = Math.min(0, ...numbers.nearest.flatMap((w) => [from[w], to[w]]), from[own[end]]) - 0.05;
      const x = (c) => left + ((c - low) / (1.05 - low)) * side;
      const y = (c) => top + side - ((c - low) / (1.05 - low)) * side;
      for (const c of [0, 0.25, 0.5, 0.75, 1].filter((one) => one >= low)) {
        pen.line(`x ${c}`, x(c), top, x(c), top + side, { stroke: colors.faint, "stroke-width": 0.7 });
        pen.line(`y ${c}`, left, y(c), left + side, y(c), { stroke: colors.faint, "stroke-width": 0.7 });
        pen.text(`x tick ${c}`, x(c), top + side + 11, c, { anchor: "middle", fill: colors.muted, "font-size": 11 });
        pen.text(`y tick ${c}`, left - 5, y(c), c, { anchor: "end", fill: colors.muted, "font-size": 11 });
      }
      pen.text("x name", left + side, top + side + 28, `cosine with ${offered[start]} →`, { anchor: "end", "font-size": 12 });
      pen.text("y name", 0, 0, `cosine with ${offered[end]} →`, { anchor: "end", "font-size": 12, transform: `translate(9 ${top}) rotate(-90)` });
      // The cosine of the query with both ends, all the way.
      const way = steps.map((one) => [x(one[own[start]]), y(one[own[end]])]);
      pen.path("way", way, { stroke: colors.query, "stroke-dasharray": "3 4" });
      const near = new Set(numbers.nearest);
      words.forEach((_, w) => {
        if (from[w] < low || to[w] < low || near.has(w)) return;
        if (Math.max(from[w], to[w]) > 0.3) pen.circle(`word ${w}`, x(from[w]), y(to[w]), 2, { fill: colors.shadow });
      });
      // Names from above downwards, each at the nearest place that no other name and no point has.
      const marks = numbers.nearest.map((w) => ({ w, px: x(from[w]), py: y(to[w]) })).sort((a, b) => a.py - b.py);
      const taken = marks.map(({ px, py }) => ({ y: py, high: 11, x1: px - 6, x2: px + 6 }));
      for (const { w, px, py } of marks) {
        const wide = 16 + 6.8 * words[w].length;
        const place = (ly, way) => ({ y: ly, high: 13, way, x1: way > 0 ? px + 11 : px - wide, x2: way > 0 ? px + wide : px - 11 });
        const free = (at) =>
          at.y > top && at.y < top + side - 4 && at.x1 > left && at.x2 < pen.width - 2 &&
          !taken.some((one) => Math.abs(one.y - at.y) < one.high && one.x1 < at.x2 && at.x1 < one.x2);
        const first = px < left + side * 0.62 ? 1 : -1;
        const places = range(120).flatMap((i) => [1, -1].flatMap((way) => [place(py + 2 * i, first * way), place(py - 2 * i, first * way)]));
        const at = places.find(free) ?? places[0];
        taken.push(at);
        pen.marker(`near ${w}`, "key", px, py, 4);
        pen.line(`leader ${w}`, px, py, px + 11 * at.way, at.y, { stroke: colors.muted, "stroke-width": 0.8 });
        pen.text(`name ${w}`, px + 13 * at.way, at.y, words[w], { anchor: at.way > 0 ? "start" : "end", fill: colors.keyInk, "font-size": 12, halo: true });
      }
      const at = cosines(data, start, end, t).cosines;
      const [qx, qy] = [x(at[own[start]]), y(at[own[end]])];
      if (sameWay) {
        const old = cosines(data, start, end, before.state.t).cosines;
        pen.circle("shadow", x(old[own[start]]), y(old[own[end]]), 8, { fill: "none", stroke: colors.shadow, "stroke-dasharray": "3 2" });
      }
      pen.handle("query", qx, qy, {
        label: "query", value: told, now: t, role: "query", step,
        move: (px, py) => {
          const gaps = way.map((p) => Math.hypot(p[0] - px, p[1] - py));
          set({ t: gaps.indexOf(Math.min(...gaps)) / 40 });
        },
      });
    } else if (panel === "ranking") {
      const most = 200;
      numbers.nearest.forEach((w, i) => {
        const y = 24 + 27 * i;
        const c = numbers.cosines[i];
        const end_ = w === own[start] || w === own[end];
        pen.text(`name ${i}`, 96, y, words[w], { anchor: "end", "font-weight": end_ ? 700 : 400 });
        pen.rect(`bar ${i}`, 104, y - 8, Math.max(c, 0) * (most - 70), 16, { fill: colors.key });
        if (sameWay) {
          const old = cosines(data, start, end, before.state.t).cosines[w];
          const x = 104 + Math.max(old, 0) * (most - 70);
          if (Math.abs(old - c) > 0.005) pen.line(`shadow ${i}`, x, y - 10, x, y + 10, { stroke: colors.shadow, "stroke-width": 2.5, "stroke-dasharray": "3 2" });
        }
        pen.text(`number ${i}`, 240, y, number(c), {});
      });
      pen.text("length", 12, 24 + 27 * data.k, `the query has length ${number(numbers.length)}`, { fill: colors.muted, "font-size": 12 });
    } else {
      const [left, top, width, height] = [34, 14, 176, 250];
      const told_ = numbers.nearest.slice(0, 5);
      const shown = told_.map((w) => steps.map((one) => one[w]));
      const low = Math.min(0.2, ...shown.flat()) - 0.02;
      const x = (s) => left + s * width;
      const y = (c) => top + ((1 - c) / (1 - low)) * height;
      for (const c of [0, 0.25, 0.5, 0.75, 1].filter((one) => one >= low)) {
        pen.line(`y ${c}`, left, y(c), left + width, y(c), { stroke: colors.faint, "stroke-width": 0.7 });
        pen.text(`tick ${c}`, left - 5, y(c), c, { anchor: "end", fill: colors.muted, "font-size": 11 });
      }
      pen.text("from", left, top + height + 12, offered[start], { "font-size": 12 });
      pen.text("to", left + width, top + height + 12, offered[end], { anchor: "end", "font-size": 12 });
      const order = told_.map((w, i) => ({ w, i, y: y(shown[i][40]) })).sort((a, b) => a.y - b.y);
      order.forEach((one, i) => (one.y = Math.max(one.y, i ? order[i - 1].y + 14 : 8)));
      order.forEach((one, i) => (one.y = Math.min(one.y, pen.height - 10 - 14 * (order.length - 1 - i))));
      for (const { w, i, y: labelled } of order) {
        pen.path(`curve ${i}`, shown[i].map((c, s) => [x(s / 40), y(c)]), { stroke: colors[COLORS[i]], "stroke-width": 2, "stroke-dasharray": DASHES[i] });
        pen.line(`leader ${i}`, left + width, y(shown[i][40]), left + width + 8, labelled, { stroke: colors.muted, "stroke-width": 0.8 });
        pen.text(`name ${i}`, left + width + 10, labelled, words[w], { fill: colors[`${COLORS[i]}Ink`], "font-size": 12 });
      }
      pen.line("cursor", x(t), top, x(t), top + height, { stroke: colors.ink, "stroke-width": 1.2 });
      pen.handle("hold", x(t), top + height - 10, {
        label: "how far", value: told, now: t, role: "query", size: 6, step,
        move: (px) => set({ t: clip(Math.round(((px - left) / width) * 50) / 50, 0, 1) }),
      });
    }
  },
};
