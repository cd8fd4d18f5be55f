// Random scores spread as d_k grows: what softmax makes of them as they are, divided by the root, divided by d_k.
import { clip, entropy, number, range, short, softmax } from "./core.js";

// The outline is that of the role's marker, from its middle: square, circle, diamond.
const WAYS = [
  { name: "not scaled", role: "key", dash: null, outline: "m-4-4h8v8h-8z" },
  { name: "scores / √d_k", role: "query", dash: null, outline: "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z" },
  { name: "scores / d_k", role: "scores", dash: "2 4", outline: "m0-5.5l5.5 5.5l-5.5 5.5l-5.5-5.5z" },
];
const divisors = (d) => [1, Math.sqrt(d), d];

export default {
  name: "scaling",
  title: "random scores, their weights and the entropy, as d_k grows",
  advice: "drag the ringed square along its curve, or let d_k grow. Then look at another query, and change the number of keys.",
  start: ({ d_k, n_keys }) => ({ exponent: Math.round(Math.log2(d_k)), n: n_keys, query: 0 }),

  numbers({ scores, spreads, means }, { exponent, n, query }) {
    const own = scores[query][exponent - 1].slice(0, n);
    const by = divisors(2 ** exponent);
    const weights = by.map((divisor) => softmax(own.map((s) => s / divisor)));
    const spread = spreads[n - 2][exponent - 1];
    return { scores: own, weights, entropies: weights.map(entropy), spreads: by.map((divisor) => spread / divisor), means: means[n - 2].map((curve) => curve[exponent - 1]) };
  },

  sentence(data, { exponent, n }, { weights, means }) {
    const largest = weights.map((row) => number(Math.max(...row)));
    return (
      `d_k = ${2 ** exponent}, ${n} keys. Entropy of the weights, on average: ${number(means[0])} nats without scaling; ${number(means[1])} with scores ` +
      `divided by √d_k; ${number(means[2])} divided by d_k; at most ${number(Math.log(n))}. Largest weight of the query shown: ${largest[0]} without scaling, ${largest[1]} with.`
    );
  },

  panels: ({ scores }) => [
    { name: "entropy", title: "Entropy, mean of 100 queries", width: 306, height: 330 },
    { name: "scores", title: `Scores of ${scores.length} queries and all keys`, width: 306, height: 330 },
    { name: "weights", title: "Weights of one of these queries", width: 306, height: 330 },
  ],
  controls: ({ scores }) => [
    { kind: "play", label: "Let d_k grow", seconds: 8, at: (share) => ({ exponent: 1 + Math.min(10, Math.floor(11 * share)) }) },
    { kind: "range", name: "n", label: "number of keys", min: 2, max: 12, step: 1 },
    { kind: "button", label: "Another query", act: ({ query }) => ({ query: (query + 1) % scores.length }) },
  ],

  draw(panel, pen, { data, state, numbers, before, colors, set }) {
    const { exponent, n, query } = state;
    const { muted, faint, shadow } = colors;
    const small = { "font-size": 11, fill: muted };
    const ink = (way) => colors[`${way.role}Ink`];
    const row = (i) => 6 + 100 * i;

    if (panel === "entropy") {
      const [left, right, top, bottom] = [40, 284, 34, 220];
      const most = Math.log(n);
      const toX = (e) => left + ((e - 1) / 10) * (right - left);
      const at = (h) => bottom - (h / most) * (bottom - top);
      pen.line("zero", left, bottom, right, bottom, { stroke: muted });
      pen.line("most", left, top, right, top, { stroke: muted, "stroke-dasharray": "6 4" });
      pen.text("most said", left, top - 12, `ln ${n} = ${number(most)} nats: all equal`, small);
      for (const h of [0, 0.5, 1, 1.5, 2].filter((h) => h < 0.93 * most)) {
        pen.text(`nats ${h}`, left - 6, at(h), short(h), { anchor: "end", ...small });
        if (h) pen.line(`grid ${h}`, left, at(h), right, at(h), { stroke: faint, "stroke-width": 0.7 });
      }
      for (const e of [1, 3, 5, 7, 9, 11]) pen.text(`d ${e}`, toX(e), bottom + 14, 2 ** e, { anchor: "middle", ...small });
      pen.text("axis", (left + right) / 2, bottom + 31, "d_k (each step doubles it)", { anchor: "middle", ...small });
      pen.line("now", toX(exponent), top, toX(exponent), bottom, { stroke: colors.accent, "stroke-dasharray": "5 4" });
      if (before) {
        const { state: old, numbers: { means } } = before;
        if (old.exponent !== exponent || old.n !== n)
          means.forEach((h, i) => pen.circle(`before ${i}`, toX(old.exponent), clip(at(h), 8, bottom), 6, { fill: "none", stroke: shadow, "stroke-width": 2, "stroke-dasharray": "3 2" }));
      }
      WAYS.forEach((way, i) => {
        const points = data.means[n - 2][i].map((h, e) => [toX(e + 1), at(h)]);
        pen.path(`curve ${i}`, points, { stroke: ink(way), "stroke-width": 2.5, "stroke-dasharray": way.dash });
        if (i) pen.marker(`at ${i}`, way.role, toX(exponent), at(numbers.means[i]), 6);
        const y = bottom + 55 + 18 * i;
        pen.line(`sample ${i}`, left, y, left + 30, y, { stroke: ink(way), "stroke-width": 2.5, "stroke-dasharray": way.dash });
        pen.marker(`mark ${i}`, way.role, left + 15, y, 5);
        pen.text(`name ${i}`, left + 40, y, way.name, { fill: ink(way) });
        pen.text(`mean ${i}`, right, y, `${number(numbers.means[i])} nats`, { anchor: "end" });
      });
      pen.handle("hold", toX(exponent), at(numbers.means[0]), {
        label: "d_k, along the curve without scaling", value: `${2 ** exponent}, entropy ${number(numbers.means[0])} nats`, now: 2 ** exponent, role: "key",
        move: (x) => set({ exponent: clip(Math.round(1 + (10 * (x - left)) / (right - left)), 1, 11) }),
        step: (dx, dy) => set({ exponent: clip(exponent + dx + dy, 1, 11) }),
      });
      const late = exponent > 6;
      pen.text("d_k", toX(exponent) + (late ? -8 : 8), at(most * 0.42), `d_k = ${2 ** exponent}`, { anchor: late ? "end" : "start", "font-weight": 700, halo: true, "pointer-events": "none" });
    } else if (panel === "scores") {
      // One axis for all three, on which 1 and 100 can both be seen: nearly even about 0, logarithmic farther out.
      const toX = (s) => 153 + (144 * Math.asinh(clip(s, -190, 190))) / Math.asinh(190);
      for (const s of [-100, -10, -1, 0, 1, 10, 100]) {
        pen.line(`grid ${s}`, toX(s), 24, toX(s), 296, { stroke: s ? faint : muted, "stroke-width": 0.8 });
        pen.text(`tick ${s}`, toX(s), 306, short(s), { anchor: "middle", ...small });
      }
      pen.text("axis", 153, 322, "score (steps of the axis grow tenfold)", { anchor: "middle", ...small });
      const by = divisors(2 ** exponent);
      WAYS.forEach((way, i) => {
        const [y, spread] = [row(i), numbers.spreads[i]];
        pen.text(`name ${i}`, 4, y + 6, way.name, { fill: ink(way), "font-weight": 600, halo: true });
        pen.text(`std ${i}`, 302, y + 6, `std ${short(spread, i ? 2 : 3)}${i ? "" : `, and √d_k is ${short(by[1], 3)}`}`, { anchor: "end", halo: true, "font-size": 12 });
        // All dots of a row are one path, of strokes without length: quick to draw.
        const dots = data.scores.flatMap((one, q) =>
          q === query ? [] : one[exponent - 1].slice(0, n).map((s, j) => `M${toX(s / by[i]).toFixed(1)} ${y + 24 + ((q * 5 + j * 3) % 11) * 3.4}h0`),
        );
        pen.put("path", `dots ${i}`, { d: dots.join(""), stroke: ink(way), "stroke-width": 5, "stroke-linecap": "round", opacity: 0.65, fill: "none" });
        const own = numbers.scores.map((s, j) => `M${toX(s / by[i]).toFixed(1)} ${y + 28 + ((j * 5) % 8) * 4}${way.outline}`);
        pen.put("path", `own ${i}`, { d: own.join(""), fill: colors[way.role], stroke: colors.ink, "stroke-width": 1.5 });
        const bar = (key, width, at, more) => {
          pen.line(key, toX(-width), at, toX(width), at, more);
          for (const side of [-1, 1]) pen.line(`${key} end ${side}`, toX(side * width), at - 5, toX(side * width), at + 5, more);
        };
        bar(`spread ${i}`, spread, y + 72, { stroke: colors.context, "stroke-width": 3 });
        const old = before?.numbers.spreads[i];
        if (old && Math.abs(old / spread - 1) > 0.01) bar(`before ${i}`, old, y + 82, { stroke: shadow, "stroke-dasharray": "3 2" });
      });
    } else {
      const each = 290 / n;
      WAYS.forEach((way, i) => {
        const [y, weights] = [row(i), numbers.weights[i]];
        const at = (w) => y + 78 - 50 * w;
        pen.text(`name ${i}`, 4, y + 6, way.name, { fill: ink(way), "font-weight": 600 });
        pen.text(`facts ${i}`, 302, y + 6, `entropy ${number(numbers.entropies[i])} nats`, { anchor: "end", "font-size": 12 });
        pen.line(`zero ${i}`, 8, at(0), 298, at(0), { stroke: muted, "stroke-width": 1 });
        pen.line(`equal ${i}`, 8, at(1 / n), 298, at(1 / n), { stroke: muted, "stroke-dasharray": "5 4", "stroke-width": 1 });
        weights.forEach((w, j) => {
          const x = 8 + each * j;
          pen.rect(`bar ${i} ${j}`, x + 3, at(w), each - 6, at(0) - at(w), { fill: colors[way.role], stroke: ink(way), "stroke-width": 0.8 });
        });
        // Above the bars, behind the numbers.
        const old = before?.state.n === n ? before.numbers.weights[i] : weights;
        const moved = old.map((w, j) => (Math.abs(w - weights[j]) > 0.005 ? `M${(9 + each * j).toFixed(1)} ${at(w).toFixed(1)}h${(each - 2).toFixed(1)}` : ""));
        pen.put("path", `before ${i}`, { d: moved.join("") || "M0 0", stroke: shadow, "stroke-width": 2, "stroke-dasharray": "3 2", fill: "none" });
        weights.forEach((w, j) => {
          // No number where nothing is seen; narrow bars have only the largest one's.
          if ((n < 9 && w >= 0.005) || w === Math.max(...weights)) pen.text(`weight ${i} ${j}`, 8 + each * (j + 0.5), at(w) - 9, number(w), { anchor: "middle", "font-size": 11, halo: true });
        });
      });
      range(n).forEach((j) => pen.text(`key ${j}`, 8 + each * (j + 0.5), 306, `k${j + 1}`, { anchor: "middle", ...small }));
      pen.text("which", 153, 322, `query ${query + 1} of ${data.scores.length}; dashed line: 1/${n}`, { anchor: "middle", ...small });
    }
  },
};
