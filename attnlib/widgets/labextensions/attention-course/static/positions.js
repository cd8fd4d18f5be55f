// Two places, and how well the one asks for the other: clocks, the score against the distance, the scores of all places.
import { clip, number, plane, range, scoreColor, short, sum } from "./core.js";

const PAIRS = 4; // of columns: clocks
const KINDS = ["sinusoids", "learned vectors", "head 2"];
const WHAT = ["score", "cosine", "score"];

// Learned vectors have no base, and nobody turns them back: both sliders rest.
const isLearned = ({ kind }) => kind > 0;

const speeds = (base) => range(PAIRS).map((i) => base ** (-i / PAIRS));
const wrap = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

export default {
  name: "positions",
  title: "two places and their score",
  advice: "take the blue square in the matrix, or a hand of a clock. Walk both places on together. Then let the query look back.",
  start: ({ m, n, base }) => ({ kind: 0, m, n, back: 0, base }),

  numbers(data, { kind, m, n, back, base }) {
    const all = range(data.places);
    const rates = speeds(base);
    const scores = kind
      ? [data.learned, data.head][kind - 1]
      : all.map((i) => all.map((j) => sum(rates.map((rate) => Math.cos((i - back - j) * rate)))));
    return { scores, score: scores[m][n], best: scores[m].indexOf(Math.max(...scores[m])) };
  },

  sentence(data, { kind, m, n, back, base }, { score, best }) {
    const what = [
      `Sinusoids of ${2 * PAIRS} columns, base ${short(base, 3)}${back ? `, queries look ${back} back` : ""}.`,
      "Position vectors that a real model has learned.",
      "Head 2 of the real model, on its position vectors alone.",
    ][kind];
    return `${what} Query at place ${m}, key at place ${n}: ${WHAT[kind]} ${number(score, kind === 2 ? 0 : 2)}. Highest for this query: place ${best}.`;
  },

  panels: () => [
    { name: "places", title: "The two places as vectors", width: 306, height: 330 },
    { name: "curve", title: "Scores of the query's place", width: 306, height: 330 },
    { name: "all", title: "Scores of all places", width: 306, height: 330 },
  ],
  controls: ({ places }) => [
    { kind: "choice", name: "kind", label: "places are", options: KINDS },
    {
      kind: "play", label: "Walk both on", seconds: 5,
      at(share, { m, n }) {
        const least = Math.min(m, n);
        const on = Math.round(share * (places - 1 - Math.abs(m - n))) - least;
        return { m: m + on, n: n + on };
      },
    },
    { kind: "range", name: "back", label: "queries look back by", min: 0, max: 8, step: 1, disabled: isLearned },
    {
      kind: "range", name: "base", label: "base", min: 2, max: 100000, log: true, step: 0.1, snap: (x) => Number(x.toPrecision(2)),
      show: (x) => short(x, 3), disabled: isLearned,
    },
  ],

  draw(panel, pen, { data, state, numbers, before, colors, set, remember }) {
    const { kind, m, n, back, base } = state;
    const { muted, faint, shadow, accent } = colors;
    const last = data.places - 1;
    const to = (place) => clip(place, 0, last);
    const small = { "font-size": 11, fill: muted };
    const decimals = kind === 2 ? 0 : 2;

    if (panel === "places" && !kind) {
      speeds(base).forEach((rate, i) => {
        const [x, y, radius] = [80 + 146 * (i % 2), 76 + 156 * Math.floor(i / 2), 54];
        pen.circle(`clock ${i}`, x, y, radius, { fill: "none", stroke: faint, "stroke-width": 1.5 });
        range(4).forEach((k) => pen.circle(`hour ${i} ${k}`, x + radius * Math.cos((k * Math.PI) / 2), y + radius * Math.sin((k * Math.PI) / 2), 1.5, { fill: muted }));
        const hand = (name, role, angle, length, place, change) => {
          const [hx, hy] = [x + length * Math.cos(angle), y - length * Math.sin(angle)];
          pen.arrow(`${name} ${i}`, x, y, hx, hy, colors[role], { width: 3, size: 9 });
          pen.handle(`hold ${name} ${i}`, hx, hy, {
            label: `${name} on clock ${i}`, value: `place ${place}`, now: place, role, size: 5,
            move: (px, py) => set(change(to(place + Math.round(wrap(Math.atan2(y - py, px - x) - angle) / rate)))),
            step: (dx, dy) => set(change(to(place + dx + dy))),
          });
        };
        if (before && !before.state.kind) {
          const old = (before.state.m - before.state.back) * speeds(before.state.base)[i];
          pen.line(`was ${i}`, x, y, x + radius * Math.cos(old), y - radius * Math.sin(old), { stroke: shadow, "stroke-dasharray": "4 3" });
        }
        hand("key", "key", n * rate, 0.72 * radius, n, (place) => ({ n: place }));
        hand("query", "query", (m - back) * rate, radius, m, (place) => ({ m: place }));
        pen.text(`speed ${i}`, x, y + radius + 14, `${short(rate, 2)} radian a place`, { anchor: "middle", ...small });
        pen.text(`cosine ${i}`, x, y + radius + 29, `cosine ${number(Math.cos((m - back - n) * rate))}`, { anchor: "middle", "font-size": 12 });
      });
    } else if (panel === "places") {
      const far = 1.15 * Math.max(...data.map.flat().map(Math.abs));
      const at = plane(pen, { low: [-far, -far], high: [far, far], height: 276 });
      pen.path("way", data.map.map(([x, y]) => [at.x(x), at.y(y)]), { stroke: faint, "stroke-width": 1.5 });
      data.map.forEach(([x, y], i) => {
        pen.circle(`place ${i}`, at.x(x), at.y(y), 3, { fill: muted });
        if (i % 4 === 0) pen.text(`number ${i}`, at.x(x), at.y(y) - (i === m || i === n ? 18 : 10), i, { anchor: "middle", halo: true, ...small });
      });
      const nearest = (px, py) => {
        const gaps = data.map.map(([x, y]) => Math.hypot(at.x(x) - px, at.y(y) - py));
        return gaps.indexOf(Math.min(...gaps));
      };
      for (const [name, role, place, put] of [["key", "key", n, (p) => ({ n: p })], ["query", "query", m, (p) => ({ m: p })]]) {
        const [x, y] = data.map[place];
        pen.handle(`hold ${name}`, at.x(x), at.y(y), {
          label: `place of the ${name}`, value: `place ${place}`, now: place, role, size: 8,
          move: (px, py) => set(put(nearest(px, py))),
          step: (dx, dy) => set(put(to(place + dx + dy))),
        });
      }
      pen.text("axes", 160, 318, "places 0 to 23 on two principal axes", { anchor: "middle", ...small });
    } else if (panel === "curve") {
      const [left, right, top, bottom] = [44, 284, 22, 262];
      const flat = numbers.scores.flat();
      const [low, high] = kind ? [Math.min(...flat), Math.max(...flat)] : [-PAIRS, PAIRS];
      const toX = (distance) => (left + right) / 2 + (distance / last) * ((right - left) / 2);
      const toY = (s) => bottom - ((s - low) / (high - low)) * (bottom - top);
      const step = [0.5, 1, 2, 50].find((one) => (high - low) / one <= 8) ?? 50;
      for (let s = Math.ceil(low / step) * step; s <= high; s += step) {
        pen.line(`grid ${s}`, left, toY(s), right, toY(s), { stroke: s ? faint : muted, "stroke-width": 0.8 });
        pen.text(`tick ${s}`, left - 6, toY(s), short(s, 3), { anchor: "end", ...small });
      }
      for (const distance of [-20, -10, 0, 10, 20]) {
        pen.line(`at ${distance}`, toX(distance), top, toX(distance), bottom, { stroke: distance ? faint : muted, "stroke-width": 0.8 });
        pen.text(`distance ${distance}`, toX(distance), bottom + 14, short(distance), { anchor: "middle", ...small });
      }
      pen.text("axis", (left + right) / 2, bottom + 31, "the key stands so many places after the query", { anchor: "middle", ...small });
      if (before && before.state.kind === kind) {
        const old = before.numbers.scores[before.state.m].map((s, j) => [toX(j - before.state.m), toY(s)]);
        pen.path("before", old, { stroke: shadow, "stroke-width": 2, "stroke-dasharray": "4 3" });
      }
      const row = numbers.scores[m];
      pen.path("row", row.map((s, j) => [toX(j - m), toY(s)]), { stroke: colors.scoresInk, "stroke-width": 2.5 });
      row.forEach((s, j) => pen.circle(`dot ${j}`, toX(j - m), toY(s), j === numbers.best ? 6 : 2.5, { fill: j === numbers.best ? "none" : colors.scoresInk, stroke: colors.scoresInk, "stroke-width": 2 }));
      pen.handle("hold distance", toX(n - m), toY(row[n]), {
        label: "place of the key, by its distance", value: `${n - m} places after the query, ${WHAT[kind]} ${number(row[n], decimals)}`, now: n - m, role: "key", size: 6,
        move: (x) => set({ n: to(m + Math.round(((x - (left + right) / 2) / (right - left)) * 2 * last)) }),
        step: (dx, dy) => set({ n: to(n + dx + dy) }),
      });
      pen.text("said", (left + right) / 2, 316, `query at ${m}, key at ${n}: ${WHAT[kind]} ${number(row[n], decimals)}`, { anchor: "middle", "font-weight": 600 });
    } else {
      const [x, y, cell] = [34, 22, 11];
      const largest = Math.max(...numbers.scores.flat().map(Math.abs));
      numbers.scores.forEach((row, i) =>
        row.forEach((s, j) => pen.rect(`cell ${i} ${j}`, x + j * cell, y + i * cell, cell, cell, { fill: scoreColor(colors, s, largest) })),
      );
      for (const i of range(data.places).filter((i) => i % 5 === 0)) {
        pen.text(`row ${i}`, x - 6, y + (i + 0.5) * cell, i, { anchor: "end", ...small });
        pen.text(`column ${i}`, x + (i + 0.5) * cell, y - 9, i, { anchor: "middle", ...small });
      }
      const cells = data.places * cell;
      pen.rect("asks", x, y + m * cell, cells, cell, { fill: "none", stroke: accent, "stroke-width": 1.5 });
      const put = (px, py) => set({ n: to(Math.floor((px - x) / cell)), m: to(Math.floor((py - y) / cell)) });
      pen.ground("ground", x, y, cells, cells, put);
      pen.rect("here", x + n * cell - 1, y + m * cell - 1, cell + 2, cell + 2, { fill: "none", stroke: colors.queryInk, "stroke-width": 3 });
      pen.handle("hold cell", x + (n + 0.5) * cell, y + (m + 0.5) * cell, {
        label: "query and key", value: `query at ${m}, key at ${n}, ${WHAT[kind]} ${number(numbers.score, decimals)}`, now: m,
        move: put,
        step: (dx, dy) => set({ n: to(n + dx), m: to(m - dy) }),
      });
      pen.text("rows", x, y + cells + 14, "row: place of the query; column: place of the key", small);
    }
  },
};
