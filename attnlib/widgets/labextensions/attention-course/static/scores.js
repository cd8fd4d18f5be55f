// Queries and keys in one plane, their scores by three measures, and one pair of them taken apart.
import { dot, matrix, mix, norm, number, pair, plane, range, scoreColor, textOn, was } from "./core.js";

const MEASURES = ["dot product", "cosine", "squared distance"];
const RULES = ["largest", "largest", "smallest"];
const DRAGS = ["direction and length", "length only", "direction only"];
const TABLES = ["dots", "cosines", "distances"];
// A query and a key may be the same vector: they are held beside their tip, on either side of it.
const SIDE = { query: -12, key: 12 };

const degrees = (v) => (Math.atan2(v[1], v[0]) * 180) / Math.PI;
const near = (a, b) => Math.abs(a - b) <= 1e-9 + 1e-9 * Math.abs(b);
const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`);
const vectorsOf = (state, kind) => (kind === "query" ? state.Q : state.K);
const chosenBy = (numbers, m, i) => numbers.chosen[m][i].flatMap((yes, j) => (yes ? [j] : []));
// Degrees between two vectors; there is no such angle with a vector of zeros.
const between = (q, k) => Math.abs((Math.atan2(q[0] * k[1] - q[1] * k[0], dot(q, k)) * 180) / Math.PI);
const angleText = (q, k) => (norm(q) && norm(k) ? `${number(between(q, k), 0)}°` : "none");

// What becomes of a vector that is dragged to a place, if only its length or only its direction may change.
function held(old, at, drag, grain) {
  const [length, angle] = [norm(old), Math.atan2(old[1], old[0])];
  if (drag === 0) return at.map((x) => Math.round(x / grain) * grain);
  const to = drag === 1 ? angle : (Math.round((Math.atan2(at[1], at[0]) * 180) / Math.PI) * Math.PI) / 180;
  const along = at[0] * Math.cos(angle) + at[1] * Math.sin(angle);
  const wide = drag === 1 ? Math.max(Math.round(along / grain), 1) * grain : length;
  return [wide * Math.cos(to), wide * Math.sin(to)];
}

// The picture of what a measure takes of a pair: a projection, an angle, or the way between the tips.
function takenApart(pen, at, q, k, measure, { ink, positive, negative, shadow }, reach) {
  const point = (v) => [at.x(v[0]), at.y(v[1])];
  const dashed = { stroke: ink, "stroke-width": 1.3, "stroke-dasharray": "5 4" };
  if (measure === 2) {
    pen.line("way", ...point(q), ...point(k), { ...dashed, "stroke-width": 2 });
    return;
  }
  if (!norm(q) || !norm(k)) return;
  if (measure === 0) {
    const unit = q.map((x) => x / norm(q));
    const along = dot(k, unit);
    const foot = unit.map((x) => x * along);
    pen.line("beam", ...point(unit.map((x) => -x * reach)), ...point(unit.map((x) => x * reach)), { ...dashed, stroke: shadow, "stroke-width": 1 });
    pen.line("part", ...point([0, 0]), ...point(foot), { stroke: along < 0 ? negative : positive, "stroke-width": 9, opacity: 0.4 });
    pen.line("fall", ...point(k), ...point(foot), dashed);
    pen.circle("foot", ...point(foot), 3.5, { fill: ink });
    return;
  }
  const [from, radius] = [Math.atan2(q[1], q[0]), 34];
  const whole = (between(q, k) * Math.PI) / 180;
  const by = q[0] * k[1] - q[1] * k[0] < 0 ? -whole : whole;
  const ray = (share, r) => [at.x(0) + r * Math.cos(from + by * share), at.y(0) - r * Math.sin(from + by * share)];
  pen.path("arc", range(25).map((t) => ray(t / 24, radius)), { stroke: ink, "stroke-width": 2 });
  pen.text("angle", ...ray(0.5, radius + 18), angleText(q, k), { anchor: "middle", halo: true, "font-weight": 600 });
}

export default {
  name: "scores",
  title: "queries, keys and their scores by three measures",
  advice: "drag a key farther out without turning it. Which of the three measures cares? Then point at a cell of the matrix: the pair behind it is taken apart.",
  start: ({ Q, K, kind, index, pair: first }) => ({ Q, K, kind, index, pair: first, measure: 0, drag: 0 }),

  numbers(data, { Q, K }) {
    const table = (score) => Q.map((q) => K.map((k) => score(q, k)));
    const dots = table(dot);
    const cosines = table((q, k) => dot(q, k) / ((norm(q) || 1) * (norm(k) || 1)));
    const distances = table((q, k) => (q[0] - k[0]) ** 2 + (q[1] - k[1]) ** 2);
    const best = (row) => row.map((x) => near(x, Math.max(...row)));
    return { dots, cosines, distances, chosen: [dots, cosines, distances.map((row) => row.map((d) => -d))].map((rows) => rows.map(best)) };
  },

  sentence({ queries, keys }, state, numbers) {
    const { kind, index } = state;
    const moved = vectorsOf(state, kind)[index];
    const who = (i, m) => listed(chosenBy(numbers, m, i).map((j) => keys[j]));
    const asking = kind === "key" ? range(queries.length) : [index];
    const said = asking.map((i) => `${queries[i]} chooses ${who(i, 0)} by dot product, ${who(i, 1)} by cosine, ${who(i, 2)} by distance.`);
    const name = kind === "key" ? `Key ${keys[index]}` : `Query ${queries[index]}`;
    return `${name} has length ${number(norm(moved))} and angle ${number(degrees(moved), 0)} degrees. ${said.join(" ")}`;
  },

  panels: ({ queries }) => [
    { name: "plane", title: "Take hold of queries and keys", width: 310, height: 330 },
    { name: "matrix", title: "All scores, and who is chosen", width: 310, height: Math.max(330, 144 + 72 * queries.length) },
    { name: "pair", title: "One pair, taken apart", width: 290, height: 330 },
  ],
  controls: () => [
    { kind: "choice", name: "measure", label: "matrix of", options: MEASURES.map((name) => `${name}s`) },
    { kind: "choice", name: "drag", label: "dragging changes", options: DRAGS },
  ],

  draw(panel, pen, scene) {
    ({ plane: drawPlane, matrix: drawMatrix, pair: drawPair })[panel](pen, scene);
  },
};

function drawPlane(pen, { data, state, before, colors, set }) {
  const { reach, grain, tags } = data;
  const at = plane(pen, { y: 8, height: 272, low: [-reach, -reach], high: [reach, reach] });
  const kinds = [["key", state.K], ["query", state.Q]];
  if (before && before.state[state.kind === "key" ? "K" : "Q"] !== vectorsOf(state, state.kind)) {
    const [x, y] = vectorsOf(before.state, state.kind)[state.index];
    pen.arrow("shadow", at.x(0), at.y(0), at.x(x), at.y(y), colors.shadow, { "stroke-dasharray": "4 3" });
  }
  const [i, j] = state.pair;
  takenApart(pen, at, state.Q[i], state.K[j], state.measure, colors, reach);
  for (const [kind, vectors] of kinds)
    vectors.forEach((v, n) => {
      const chosen = n === (kind === "key" ? j : i);
      // A key is drawn wide, so that a query that equals it does not hide it.
      const width = (kind === "key" ? 4 : 1.6) + (chosen ? 1 : 0);
      pen.arrow(`${kind} ${n}`, at.x(0), at.y(0), at.x(v[0]), at.y(v[1]), colors[kind], { width, size: kind === "key" ? 13 : 9 });
    });
  for (const [kind, vectors] of kinds)
    vectors.forEach((v, n) => {
      const side = SIDE[kind];
      const [x, y] = [at.x(v[0]) + side, at.y(v[1]) + side];
      const to = (place) => {
        const inside = place.map((c) => c * Math.min(1, reach / (norm(place) || 1)));
        const now = vectors.map((old, m) => (m === n ? held(old, inside, state.drag, grain) : old));
        set({ [kind === "key" ? "K" : "Q"]: now, kind, index: n, pair: kind === "key" ? [state.pair[0], n] : [n, state.pair[1]] });
      };
      pen.line(`${kind} tie ${n}`, at.x(v[0]), at.y(v[1]), x, y, { stroke: colors[kind + "Ink"], "stroke-width": 1 });
      pen.handle(`hold ${kind} ${n}`, x, y, {
        label: `${kind} ${(kind === "key" ? data.keys : data.queries)[n]}`, role: kind, size: 5.5, now: norm(v),
        value: `${pair(v)}, length ${number(norm(v))}, angle ${number(degrees(v), 0)} degrees`,
        move: (px, py) => to(at.back(px - side, py - side)),
        step(dx, dy) {
          if (state.drag === 0) return to([v[0] + 5 * dx * grain, v[1] + 5 * dy * grain]);
          const [by, angle, length] = [dx + dy, Math.atan2(v[1], v[0]), norm(v)];
          const [r, turned] = state.drag === 1 ? [Math.max(length + 5 * by * grain, grain), angle] : [Math.max(length, grain), angle + (by * Math.PI) / 180];
          to([r * Math.cos(turned), r * Math.sin(turned)]);
        },
      });
      const text = tags[kind][n];
      const room = text.length * 7.5 + 13;
      const left = kind === "query" ? x > room : x + room > pen.width;
      const ink = { fill: colors[kind + "Ink"], anchor: left ? "end" : "start", halo: true, "pointer-events": "none" };
      pen.text(`${kind} name ${n}`, left ? x - 11 : x + 11, y, text, { ...ink, "font-weight": kind === state.kind && n === state.index ? 700 : 400 });
    });
  pen.marker("legend query", "query", 40, 318, 6);
  pen.text("legend query text", 52, 318, "query: asks", { fill: colors.queryInk });
  pen.marker("legend key", "key", 150, 318, 5.5);
  pen.text("legend key text", 162, 318, "key: answers", { fill: colors.keyInk });
}

function drawMatrix(pen, { data, state, numbers, before, colors, set, glance }) {
  const { queries, keys, tags } = data;
  const { measure } = state;
  const values = numbers[TABLES[measure]];
  const most = Math.max(...values.flat().map(Math.abs));
  // The stronger the colour, the nearer, by every measure.
  const color = (x) => (measure === 2 ? scoreColor(colors, most - x, most) : scoreColor(colors, x, measure ? 1 : most));
  const room = Math.max(...tags.query.map((text) => text.length)) * 7.2 + 16;
  const cell = [Math.min(76, (pen.width - room - 4) / keys.length), 44];
  const [x, y] = [room, 52];
  pen.text("measure", 4, 12, `${MEASURES[measure]}, a row for each query`, { fill: colors.scoresInk, "font-weight": 600 });
  const [outX, outY, outWide, outHigh] = state.kind === "query" ? [0, state.index, keys.length, 1] : [state.index, 0, 1, queries.length];
  const show = (i, j) => i !== null && glance({ pair: [i, j] });
  const name = (i, j) =>
    `query ${queries[i]}, key ${keys[j]}: ${MEASURES[measure]} ${number(values[i][j])}, lengths ${number(norm(state.Q[i]))} and ` +
    `${number(norm(state.K[j]))}, angle ${angleText(state.Q[i], state.K[j])}`;
  const outlined = (i, j) => i === state.pair[0] && j === state.pair[1];
  matrix(pen, "score", { x, y, cell, values, rows: tags.query, columns: tags.key, color, outlined, look: show, name });
  if (before) was(pen, "score", { x, y, cell, values, before: before.numbers[TABLES[measure]], color });
  values.forEach((row, i) =>
    row.forEach((value, j) => {
      if (numbers.chosen[measure][i][j])
        pen.circle(`chosen ${i} ${j}`, x + (j + 1) * cell[0] - 12, y + i * cell[1] + 9, 4, { fill: textOn(color(value)), "pointer-events": "none" });
    }),
  );
  pen.rect("moved", x + outX * cell[0] - 4, y + outY * cell[1] - 4, outWide * cell[0] + 6, outHigh * cell[1] + 6, {
    fill: "none", stroke: colors.ink, "stroke-width": 2, "stroke-dasharray": "7 3", rx: 4, "pointer-events": "none",
  });

  const top = y + queries.length * cell[1] + 20;
  pen.circle("rule mark", 9, top, 4, { fill: colors.ink });
  pen.text("rule", 18, top, `chosen: ${RULES[measure]} of its row; dashed: what moved`, { fill: colors.muted, "font-size": 11.5 });
  const wide = (pen.width - room - 4) / 3;
  const who = (i, m) => {
    const names = chosenBy(numbers, m, i).map((j) => keys[j]);
    const text = names.join(", ").length * 7 > wide - 24 && names.length > 1 ? `${names.length} tied` : names.join(", ");
    return numbers.chosen[m][i].some((yes, j) => yes !== numbers.chosen[0][i][j]) ? `≠ ${text}` : text;
  };
  matrix(pen, "who", {
    x: room, y: top + 44, cell: [wide, 28], values: queries.map((_, i) => [0, 1, 2].map((m) => who(i, m))), rows: tags.query,
    columns: ["dot", "cosine", "distance"], say: (text) => text,
    color: (text, i, m) => (m === measure ? mix(colors.paper, colors.accent, 0.16) : colors.paper),
    isOn: (i, m) => m === measure && i === state.pair[0],
    press: (i, m) => set({ measure: m, pair: [i, chosenBy(numbers, m, i)[0]] }),
    name: (i, m) => `${queries[i]} by ${MEASURES[m]}: ${listed(chosenBy(numbers, m, i).map((j) => keys[j]))}`,
  });
  pen.text("differs", 4, top + 58 + 28 * queries.length, "≠: not the choice of the dot product", { fill: colors.muted, "font-size": 11.5 });
}

function drawPair(pen, { data, state, numbers, before, colors }) {
  const [i, j] = state.pair;
  const [q, k] = [state.Q[i], state.K[j]];
  const [a, b, angle] = [number(norm(q)), number(norm(k)), angleText(q, k)];
  const none = angle === "none";
  const minus = (x) => (x < 0 ? `(${number(x)})` : number(x));
  pen.marker("q", "query", 12, 16, 6);
  pen.text("q text", 26, 16, `${data.tags.query[i]} = ${pair(q)}, length ${a}`, { fill: colors.queryInk });
  pen.marker("k", "key", 12, 42, 5.5);
  pen.text("k text", 26, 42, `${data.tags.key[j]} = ${pair(k)}, length ${b}`, { fill: colors.keyInk });
  const [score, cosine, far] = TABLES.map((name) => numbers[name][i][j]);
  const [qq, kk] = [dot(q, q), dot(k, k)];
  const blocks = [
    [`q · k = ${number(score)}`, score, [
      `= ${q.map((x, c) => `${minus(x)}·${minus(k[c])}`).join(" + ")}`,
      none ? "a vector of zeros: 0 with everything" : `= ${a} · ${b} · cos ${angle}`,
      none ? "" : `= ${a} · ${minus(norm(k) * cosine)}, the part of k along q`,
    ]],
    [`cosine = ${number(cosine)}`, cosine, [none ? "a vector of zeros has no direction: 0" : `= ${number(score)} / (${a} · ${b}): the angle is ${angle}`]],
    [`squared distance = ${number(far)}`, far, [`= |q|² − 2 q·k + |k|²`, `= ${number(qq)} − 2 · ${minus(score)} + ${number(kk)}`]],
  ];
  let y = 76;
  blocks.forEach(([head, value, lines], m) => {
    const on = m === state.measure;
    if (on) pen.rect("on", 2, y - 13, 4, 26 + 21 * lines.filter(Boolean).length, { fill: colors.accent });
    const old = before && number(before.numbers[TABLES[m]][i][j]);
    const ago = before && old !== number(value) ? ` (was ${old})` : "";
    pen.text(`head ${m}`, 12, y, head + ago, { "font-weight": 600 });
    lines.filter(Boolean).forEach((line, n) => pen.text(`line ${m} ${n}`, 12, y + 22 + 20 * n, line, { fill: colors.muted, "font-size": 12.5 }));
    y += 40 + 20 * lines.filter(Boolean).length;
  });
}
