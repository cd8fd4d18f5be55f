// A query among keys, its weights, and the context vector inside the hull of the values.
import { bars, clip, dot, norm, number, pair, plane, softmax, sum, range } from "./core.js";

const hull = (points) => {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (list) => {
    const corners = [];
    for (const p of list) {
      while (corners.length > 1) {
        const [a, b] = corners.slice(-2);
        if ((b[0] - a[0]) * (p[1] - b[1]) - (b[1] - a[1]) * (p[0] - b[0]) > 0) break;
        corners.pop();
      }
      corners.push(p);
    }
    return corners.slice(0, -1);
  };
  return [...chain(sorted), ...chain([...sorted].reverse())];
};

const bounds = (points, margin) => {
  const all = [[0, 0], ...points];
  const low = [0, 1].map((c) => Math.min(...all.map((p) => p[c])));
  const high = [0, 1].map((c) => Math.max(...all.map((p) => p[c])));
  const wide = Math.max(high[0] - low[0], high[1] - low[1]) * margin || 1;
  return { low: low.map((v) => v - wide), high: high.map((v) => v + wide) };
};

export default {
  name: "context",
  title: "a query, its weights and its context vector",
  advice: "drag the query; then drag a key or a value. Drive the context to a corner of the hull. Can it leave the hull?",
  start: ({ q, K, V }) => ({ q, K, V }),

  numbers(data, { q, K, V }) {
    const scores = K.map((k) => dot(q, k));
    const weights = softmax(scores);
    const context = [0, 1].map((c) => sum(V.map((v, j) => weights[j] * v[c])));
    return { scores, weights, context };
  },

  sentence({ labels }, { q, V }, { weights, context }) {
    const gaps = V.map((v) => norm([v[0] - context[0], v[1] - context[1]]));
    const nearest = labels[gaps.indexOf(Math.min(...gaps))];
    const said = labels.map((label, j) => `${label} ${number(weights[j])}`).join(", ");
    return `Query ${pair(q)}. Weights: ${said}. Context ${pair(context)}, nearest to the value of ${nearest}.`;
  },

  panels: () => [
    { name: "keys", title: "Query and keys", width: 306, height: 310 },
    { name: "weights", title: "Scores and weights", width: 280, height: 310 },
    { name: "values", title: "Values and context", width: 306, height: 310 },
  ],
  controls: () => [],

  draw(panel, pen, { data, state, numbers, before, colors, set }) {
    const { labels, reach } = data;
    const moved = (name, j, at) => set({ [name]: state[name].map((old, i) => (i === j ? at : old)) });
    if (panel === "keys") {
      const at = plane(pen, { low: [-reach, -reach], high: [reach, reach] });
      // On a fine grid, so that the origin and other round places can be met by hand.
      const snap = (v) => clip((Math.round((v / reach) * 60) * reach) / 60, -reach, reach);
      const inside = ([x, y]) => [snap(x), snap(y)];
      if (before) pen.arrow("shadow", at.x(0), at.y(0), at.x(before.state.q[0]), at.y(before.state.q[1]), colors.shadow, { "stroke-dasharray": "4 3", opacity: 0.8 });
      state.K.forEach((k, j) => {
        pen.arrow(`key ${j}`, at.x(0), at.y(0), at.x(k[0]), at.y(k[1]), colors.key, { width: 1.5 + 3 * numbers.weights[j] });
        pen.handle(`hold key ${j}`, at.x(k[0]), at.y(k[1]), {
          label: `key of ${labels[j]}`, value: `x ${number(k[0])}, y ${number(k[1])}`, now: k[0], role: "key", size: 6,
          move: (x, y) => moved("K", j, inside(at.back(x, y))),
          step: (dx, dy) => moved("K", j, inside([k[0] + (dx * reach) / 60, k[1] + (dy * reach) / 60])),
        });
        const out = norm(k) || 1;
        pen.text(`name ${j}`, at.x(k[0]) + (k[0] / out) * 20, at.y(k[1]) - (k[1] / out) * 20, labels[j], { anchor: "middle", fill: colors.keyInk, halo: true, "pointer-events": "none" });
      });
      const { q } = state;
      pen.arrow("query", at.x(0), at.y(0), at.x(q[0]), at.y(q[1]), colors.query, { width: 3, size: 11 });
      pen.handle("hold query", at.x(q[0]), at.y(q[1]), {
        label: "query", value: `x ${number(q[0])}, y ${number(q[1])}`, now: q[0], role: "query",
        move: (x, y) => set({ q: inside(at.back(x, y)) }),
        step: (dx, dy) => set({ q: inside([q[0] + (dx * reach) / 60, q[1] + (dy * reach) / 60]) }),
      });
      pen.text("q", at.x(q[0]) + 16, at.y(q[1]) - 16, "q", { fill: colors.queryInk, "font-weight": 700, halo: true, "pointer-events": "none" });
    } else if (panel === "weights") {
      const most = Math.max(1, ...range(labels.length).map((j) => Math.abs(numbers.scores[j])));
      pen.text("scores", 12, 18, "scores q · k", { fill: colors.scoresInk, "font-weight": 600 });
      bars(pen, "score", { y: 36, labels, values: numbers.scores, shadows: before?.numbers.scores, color: colors.scores, most, least: -most, step: 26 });
      const top = 60 + 26 * labels.length;
      pen.text("weights", 12, top, "weights: softmax of the scores", { fill: colors.weightsInk, "font-weight": 600 });
      bars(pen, "weight", { y: top + 18, labels, values: numbers.weights, shadows: before?.numbers.weights, color: colors.weights, step: 26 });
    } else {
      const { low, high } = bounds(data.V, 0.25);
      const at = plane(pen, { low, high });
      const inside = ([x, y]) => [clip(x, at.low[0], at.high[0]), clip(y, at.low[1], at.high[1])];
      const grain = (high[0] - low[0]) / 120;
      const corners = hull(state.V).map((p) => [at.x(p[0]), at.y(p[1])]);
      pen.path("hull", corners, { fill: colors.value, "fill-opacity": 0.15, stroke: colors.value, "stroke-dasharray": "6 4" }, { closed: true });
      const c = numbers.context;
      state.V.forEach((v, j) => {
        pen.line(`pull ${j}`, at.x(v[0]), at.y(v[1]), at.x(c[0]), at.y(c[1]), { stroke: colors.value, "stroke-width": 6 * numbers.weights[j], opacity: 0.55 });
        pen.handle(`hold value ${j}`, at.x(v[0]), at.y(v[1]), {
          label: `value of ${labels[j]}`, value: `x ${number(v[0])}, y ${number(v[1])}`, now: v[0], role: "value",
          move: (x, y) => moved("V", j, inside(at.back(x, y))),
          step: (dx, dy) => moved("V", j, inside([v[0] + dx * grain, v[1] + dy * grain])),
        });
        pen.text(`name ${j}`, at.x(v[0]), at.y(v[1]) + (at.y(v[1]) < 30 ? 20 : -20), labels[j], { anchor: "middle", fill: colors.valueInk, halo: true, "pointer-events": "none" });
      });
      if (before) pen.marker("shadow", "context", at.x(before.numbers.context[0]), at.y(before.numbers.context[1]), 6, { fill: "none", stroke: colors.shadow, "stroke-dasharray": "3 2" });
      pen.marker("context", "context", at.x(c[0]), at.y(c[1]), 9);
      pen.text("c", at.x(c[0]), at.y(c[1]) + 20, "context", { anchor: "middle", fill: colors.contextInk, "font-weight": 700, halo: true });
    }
  },
};
