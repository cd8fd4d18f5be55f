// One query among keys of equal length, seen three ways: a search, a smoother and a memory, with one knob for all.
import { clip, dot, norm, number, pair, plane, range, short, softmax, sum } from "./core.js";

const [COLDEST, HOTTEST, REACH, LONGER] = [0.02, 100, 1.5, 1.5];
const two = (x) => Number(x.toPrecision(2)); // so that a hand can set it to 1

// Eight columns of weights, each with its number: hovered or walked by arrow keys to read all decimals.
const columns = (pen, { labels }, weights, old, look, glance) => {
  const { ink, muted, shadow, accent } = pen.colors;
  const [each, ground] = [(pen.width - 12) / labels.length, 366];
  labels.forEach((label, j) => {
    const [x, tall] = [6 + j * each, 50 * weights[j]];
    pen.rect(`column ${j}`, x + 4, ground - tall, each - 8, tall, { fill: pen.colors.weights });
    if (old && Math.abs(old[j] - weights[j]) > 1e-9)
      pen.line(`shadow ${j}`, x + 1, ground - 50 * old[j], x + each - 1, ground - 50 * old[j], { stroke: shadow, "stroke-width": 2.5, "stroke-dasharray": "3 2" });
    pen.text(`number ${j}`, x + each / 2, ground - tall - 9, number(weights[j]), { anchor: "middle", "font-size": 12, fill: ink, halo: true });
    pen.text(`name ${j}`, x + each / 2, ground + 11, label, { anchor: "middle", "font-size": 12, "font-weight": look === j ? 700 : 400 });
    const toggle = () => glance({ look: pen.explorer.state.look === j ? null : j });
    pen.rect(
      `look 0 ${j}`, x + 1, ground - 66, each - 2, 86,
      {
        fill: "transparent", stroke: look === j ? accent : "none", "stroke-width": 2, rx: 4, class: "cell", role: "button", "aria-pressed": String(look === j),
        tabindex: (pen.explorer.tabbed.look ?? "0 0") === `0 ${j}` ? 0 : -1, "aria-label": `weight of ${label}: ${number(weights[j], 10)}`,
      },
      {
        on: {
          pointerenter: () => glance({ look: j }), pointerleave: () => glance({ look: null }),
          focus: () => glance({ look: j }), blur: () => glance({ look: null }),
          keydown: (event) => pen.explorer.walk(pen, "look", 0, j, event, toggle),
        },
      },
    );
  });
  pen.line("ground", 6, ground, pen.width - 6, ground, { stroke: muted, "stroke-width": 1 });
};

// Each by its own formula, so that their being equal is a result.
const compute = ({ K, values, long }, { q, temperature, longer }) => {
  const keys = K.map((k, j) => (longer && j === long ? k.map((x) => LONGER * x) : k));
  const answer = (weights) => dot(weights, values);
  const scores = keys.map((k) => dot(q, k));
  const search = softmax(scores.map((s) => s / temperature));
  const distances = keys.map((k) => norm([q[0] - k[0], q[1] - k[1]]));
  const h = Math.sqrt(temperature);
  const kernel = distances.map((d) => Math.exp(-(d ** 2) / (2 * h ** 2)));
  const smooth = kernel.map((v) => v / sum(kernel));
  const beta = 1 / temperature;
  const memory = softmax(scores.map((s) => beta * s));
  const update = [0, 1].map((c) => sum(keys.map((k, j) => memory[j] * k[c])));
  return { keys, scores, distances, kernel, update, h, beta, weights: [search, smooth, memory], answers: [search, smooth, memory].map(answer) };
};

export default {
  name: "views",
  title: "one query, three views",
  advice: "drag the query, and the mark on the bell. Heat and cool. Do the three ever differ? Then make one key longer.",
  start: ({ q, temperature }) => ({ q, temperature, longer: false, look: null }),

  numbers: compute,

  sentence({ labels, unit, long }, { q, temperature, longer }, { weights, answers, h, beta }) {
    const listed = labels.map((label, j) => `${label} ${number(weights[0][j])}`).join(", ");
    const [first, second] = answers.map((x) => number(x, 10) + unit);
    const same = Math.max(...answers) - Math.min(...answers) < 1e-9;
    const end = same ? `All three answer ${first}.` : `Search and memory answer ${first}, the smoother ${second}.`;
    const said = `Query ${pair(q)}, T ${short(temperature, 3)}, h ${short(h, 3)}, beta ${short(beta, 3)}.`;
    return `${said} Weights: ${listed}. ${longer ? `The key ${labels[long]} is ${LONGER} times as long. ` : ""}${end}`;
  },

  panels: () => [
    { name: "search", title: "A search: who matches best?", width: 306, height: 434 },
    { name: "smoother", title: "A smoother: who is near?", width: 306, height: 434 },
    { name: "memory", title: "A memory: who pulls hardest?", width: 306, height: 434 },
  ],

  controls: ({ labels, long }) => [
    {
      kind: "range", name: "temperature", label: "temperature T = h² = 1/beta", min: COLDEST, max: HOTTEST, log: true, snap: two,
      show: (T) => `T ${short(T, 3)}, h ${short(Math.sqrt(T), 3)}, beta ${short(1 / T, 3)}`,
    },
    { kind: "play", label: "Cool down", seconds: 7, at: (share) => ({ temperature: 10 * (COLDEST / 10) ** share }) },
    { kind: "toggle", name: "longer", label: `Make the key ${labels[long]} longer` },
    { kind: "button", label: "One update of the memory", act: (state, data) => ({ q: compute(data, state).update }) },
  ],

  draw(panel, pen, { data, state, numbers, before, colors, set, glance }) {
    const { labels, values, length, unit } = data;
    const { q, temperature, look } = state;
    const { keys, scores, distances, kernel, update, h, beta } = numbers;
    const view = ["search", "smoother", "memory"].indexOf(panel);
    const [weights, answer] = [numbers.weights[view], numbers.answers[view]];
    const most = REACH * length;
    const inside = ([x, y]) => {
      const out = Math.max(1, norm([x, y]) / most);
      return [x / out, y / out];
    };
    if (panel === "smoother") {
      const far = most + LONGER * length;
      const [X, Y] = [(d) => 30 + (d / far) * 266, (k) => 196 - 176 * k];
      range(Math.floor(far) + 1).forEach((d) => pen.text(`tick x ${d}`, X(d), 208, d, { anchor: "middle", "font-size": 11, fill: colors.muted }));
      [0, 0.5, 1].forEach((k) => {
        pen.line(`grid ${k}`, 30, Y(k), 296, Y(k), { stroke: k ? colors.faint : colors.muted, "stroke-width": 0.8 });
        pen.text(`tick y ${k}`, 25, Y(k), k, { anchor: "end", "font-size": 11, fill: colors.muted });
      });
      const bell = (width) => range(81).map((i) => [X((far * i) / 80), Y(Math.exp(-(((far * i) / 80) ** 2) / (2 * width ** 2)))]);
      if (before && before.numbers.h !== h) pen.path("shadow bell", bell(before.numbers.h), { stroke: colors.shadow, "stroke-dasharray": "5 4" });
      pen.path("bell", bell(h), { stroke: colors.key, "stroke-width": 2.5 });
      pen.text("far", 294, 188, "distance →", { anchor: "end", "font-size": 12, fill: colors.muted, halo: true });
      // Names of keys that lie close go below each other, as far as there is room; the one that is looked at always has it.
      const lanes = [];
      const order = (j) => (j === look ? -1 : distances[j]);
      range(keys.length).sort((a, b) => order(a) - order(b)).forEach((j) => {
        const x = X(distances[j]);
        pen.line(`drop ${j}`, x, Y(0), x, Y(kernel[j]), { stroke: colors.weights, "stroke-width": look === j ? 4 : 1.5 });
        pen.marker(`key ${j}`, "key", x, Y(kernel[j]), look === j ? 8 : 5.5);
        const lane = [0, 1, 2].find((i) => !lanes[i]?.some((other) => Math.abs(x - other) < 32));
        if (lane === undefined) return;
        (lanes[lane] ??= []).push(x);
        pen.text(`key name ${j}`, x, 221 + 13 * lane, labels[j], { anchor: "middle", "font-size": 12, fill: colors.keyInk, halo: true, "font-weight": look === j ? 700 : 400 });
      });
      const at = Math.min(h, far);
      const widen = (to) => set({ temperature: clip(two(to), Math.sqrt(COLDEST), Math.sqrt(HOTTEST)) ** 2 });
      const [x, y] = [X(at), Y(Math.exp(-(at ** 2) / (2 * h ** 2)))];
      pen.line("width", X(0), Y(0) + 4, x, Y(0) + 4, { stroke: colors.keyInk, "stroke-width": 3 });
      pen.text("h", Math.min(x + 12, 290), y - 14, "h", { fill: colors.keyInk, "font-weight": 700, halo: true, "pointer-events": "none" });
      pen.circle("bandwidth", x, y, 6, { fill: colors.paper, stroke: colors.keyInk, "stroke-width": 2.5 });
      pen.handle("hold bandwidth", x, y, {
        label: "bandwidth", value: `h ${short(h, 3)}`, now: h, size: 4,
        move: (x) => widen(((x - 30) / 266) * far),
        step: (dx, dy) => widen(h * 1.05 ** (dx + dy)),
      });
    } else {
      const at = plane(pen, { x: 34, y: 8, width: 264, height: 208, low: [-most, -most], high: [most, most] });
      const hub = panel === "search" ? q : update;
      if (before) pen.circle("shadow", at.x(before.state.q[0]), at.y(before.state.q[1]), 8, { fill: "none", stroke: colors.shadow, "stroke-dasharray": "3 2", "stroke-width": 2 });
      const ranks = range(keys.length).sort((a, b) => scores[b] - scores[a] || a - b);
      const line = panel === "search" ? colors.query : colors.value;
      keys.forEach((k, j) => {
        const [x, y] = [at.x(k[0]), at.y(k[1])];
        pen.line(`pull ${j}`, at.x(hub[0]), at.y(hub[1]), x, y, { stroke: line, "stroke-width": 0.6 + 8 * weights[j], opacity: 0.6 });
        pen.marker(`key ${j}`, "key", x, y, look === j ? 8 : 5.5);
        const rank = ranks.indexOf(j);
        const said = panel === "memory" ? `${short(values[j])}${unit}` : rank < 3 ? `${rank + 1}. ${labels[j]}` : labels[j];
        const [toRight, up] = k.map((v) => v / (norm(k) || 1));
        const side = Math.abs(toRight) > 0.3 ? Math.sign(toRight) : 0;
        // A wide halo: else a line of the grid shows in the space between number and unit, like a dash.
        pen.text(`key name ${j}`, x + 10 * side, y - up * 15, said, {
          anchor: ["end", "middle", "start"][side + 1], "font-size": 12, "stroke-width": 7, "stroke-linejoin": "round", fill: panel === "memory" ? colors.valueInk : colors.keyInk, halo: true, "pointer-events": "none",
          "font-weight": look === j || (panel === "search" && rank < 3) ? 700 : 400,
        });
      });
      if (panel === "memory") {
        pen.arrow("update", at.x(q[0]), at.y(q[1]), at.x(update[0]), at.y(update[1]), colors.contextInk);
        pen.marker("recalled", "context", at.x(update[0]), at.y(update[1]), 8);
      }
      pen.handle("hold query", at.x(q[0]), at.y(q[1]), {
        label: panel === "search" ? "query" : "query, the state of the memory", value: `x ${number(q[0])}, y ${number(q[1])}`, now: q[0], role: "query",
        move: (x, y) => set({ q: inside(at.back(x, y)) }),
        step: (dx, dy) => set({ q: inside([q[0] + (dx * most) / 60, q[1] + (dy * most) / 60]) }),
      });
    }
    const [name, value] = [["T", temperature], ["h", h], ["beta", beta]][view];
    const formula = ["softmax(q · k / T)", "exp(−distance² / 2h²) / sum", "softmax(beta · q · k)"][view];
    pen.text("formula", 6, 268, `${formula}, ${name} = ${short(value, 3)}`, { fill: colors.weightsInk, "font-weight": 600 });
    columns(pen, data, weights, before?.numbers.weights[view], look, glance);
    const digits = look === null ? "" : `weight of ${labels[look]}: ${number(weights[look], 10)}`;
    pen.text("digits", 6, 398, digits, { fill: colors.weightsInk });
    pen.text("answer", 6, 420, `answer ${number(answer, 10)}${unit}`, { fill: colors.contextInk, "font-weight": 700 });
  },
};
