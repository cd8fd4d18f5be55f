// A query turned among keys: the k best answer, hard or softly; and the weights at every angle at once.
import { bars, clip, dot, norm, number, pair, plane, range, short, softmax, transpose } from "./core.js";

const TURN = range(121).map((i) => 3 * i - 180);
const EPSILON = 1e-6; // degrees
const [COLD, HOT] = [0.05, 100];
const along = (angle) => [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
const degrees = ([x, y]) => (Math.atan2(y, x) * 180) / Math.PI;
const wrapped = (angle) => angle - 360 * Math.ceil((angle - 180) / 360); // above -180, up to 180
// The next whole degrees, so that no angle is passed over.
const turned = (angle, by) => wrapped((by > 0 ? Math.floor(angle + 1e-9) : Math.ceil(angle - 1e-9)) + by);

function answers(q, { K, k, temperature }) {
  const scores = K.map((key) => dot(q, key));
  const order = range(K.length).sort((a, b) => scores[b] - scores[a] || a - b);
  const found = K.map((_, j) => order.indexOf(j) < k);
  return { scores, order, found, weights: softmax(scores.map((s, j) => (found[j] ? s / temperature : -Infinity))) };
}

export default {
  name: "neighbors",
  title: "a query among keys, of which the k best answer",
  advice: "drag the tip of the query round with k = 1, then with all keys. What jumps, what glides? Then drag a key.",
  start: ({ q, K, k }) => ({ angle: degrees(q), length: norm(q), K, k, temperature: 1 }),

  numbers(data, state) {
    const { K, k, angle, length } = state;
    const to = (a) => along(a).map((c) => length * c);
    const q = to(angle);
    const { order, ...now } = answers(q, state);
    // Between the last score that is in and the first that is out.
    const cut = k < K.length ? (now.scores[order[k - 1]] + now.scores[order[k]]) / 2 : null;
    // Where two keys tie, one may take the other's place: a step there must be upright.
    const ties = range(K.length).flatMap((i) => range(i).map((j) => degrees([K[i][1] - K[j][1], K[j][0] - K[i][0]])));
    const close = k < K.length ? ties.flatMap((a) => [a, wrapped(a + 180)]).flatMap((a) => [a - EPSILON, a + EPSILON]) : [];
    const angles = [...TURN, ...close].sort((a, b) => a - b);
    return { q, ...now, cut, angles, around: transpose(angles.map((a) => answers(to(a), state).weights)) };
  },

  sentence({ labels }, { K, k, angle, temperature }, { q, weights, found }) {
    const said = labels.map((label, j) => `${label} ${number(weights[j])}`).join(", ");
    const out = labels.filter((_, j) => !found[j]).join(", ");
    const asked = `Query ${pair(q)} at ${number(angle, 0)}°, k = ${k} of ${K.length} keys, temperature ${short(temperature, 3)}.`;
    return `${asked} Weights: ${said}.${out && ` Left out: ${out}.`}`;
  },

  panels: () => [
    { name: "keys", title: "Who answers", width: 306, height: 322 },
    { name: "numbers", title: "Scores and weights", width: 280, height: 322 },
    { name: "turn", title: "Weights at every angle", width: 306, height: 322 },
  ],

  controls: ({ K }) => [
    { kind: "range", name: "k", label: "k, keys that may answer", min: 1, max: K.length, step: 1 },
    {
      kind: "range", name: "temperature", label: "temperature", min: COLD, max: HOT, log: true, step: 0.05,
      snap: (t) => Number(t.toPrecision(2)),
    },
    { kind: "play", name: "round", label: "Turn it round", seconds: 9, at: (share, { angle }) => ({ angle: share < 1 ? wrapped(angle + 360 * share) : angle }) },
    { kind: "play", name: "heat", label: "Heat up", seconds: 5, at: (share, { temperature: t }) => ({ temperature: t * (HOT / t) ** share }) },
    { kind: "play", name: "cool", label: "Cool down", seconds: 5, at: (share, { temperature: t }) => ({ temperature: t * (COLD / t) ** share }) },
  ],

  draw(panel, pen, { data, state, numbers, before, colors, set }) {
    const { labels, reach } = data;
    const { angle, length, K, k, temperature } = state;
    const { q, scores, weights, found, cut, angles, around } = numbers;
    // What comes and goes stays in its layer: it is only hidden.
    const only = (yes) => (yes ? null : "hidden");
    if (panel === "keys") {
      const at = plane(pen, { low: [-reach, -reach], high: [reach, reach], height: pen.height - 54 });
      const inside = ([x, y]) => [clip(x, -reach, reach), clip(y, -reach, reach)];
      // Keys of equal score lie on a line at a right angle to the query.
      const away = cut === null ? Infinity : cut / length;
      if (Math.abs(away) < reach) {
        const half = Math.sqrt(reach ** 2 - away ** 2);
        const [ux, uy] = along(angle);
        const end = (t) => [at.x(away * ux - t * uy), at.y(away * uy + t * ux)];
        pen.line("cut", ...end(half), ...end(-half), { stroke: colors.scores, "stroke-width": 2, "stroke-dasharray": "7 4" });
      }
      pen.text("cut said", 34, pen.height - 8, cut === null ? "all keys answer" : `beyond the dashed line: the ${k > 1 ? `${k} best keys` : "best key"}`, { fill: colors.scoresInk, "font-size": 12 });
      if (before) pen.arrow("shadow", at.x(0), at.y(0), at.x(before.numbers.q[0]), at.y(before.numbers.q[1]), colors.shadow, { "stroke-dasharray": "4 3", opacity: 0.8 });
      K.forEach((key, j) => {
        const [x, y] = [at.x(key[0]), at.y(key[1])];
        const old = before?.state.K[j] ?? key;
        if (old !== key) pen.marker(`shadow ${j}`, "key", at.x(old[0]), at.y(old[1]), 6, { fill: "none", stroke: colors.shadow, "stroke-dasharray": "3 2" });
        pen.line(`pull ${j}`, at.x(q[0]), at.y(q[1]), x, y, { stroke: colors.query, "stroke-width": 0.6 + 8 * weights[j], opacity: 0.55, visibility: only(found[j]) });
        const drop = (place) => set({ K: K.map((was, i) => (i === j ? inside(place) : was)) });
        pen.handle(`hold key ${j}`, x, y, {
          label: `key ${labels[j]}`, value: `x ${number(key[0])}, y ${number(key[1])}, ${found[j] ? `weight ${number(weights[j])}` : "left out"}`, now: key[0],
          role: "key", size: 7, shape: found[j] ? null : { fill: colors.paper, stroke: colors.muted },
          move: (px, py) => drop(at.back(px, py)),
          step: (dx, dy) => drop([key[0] + (dx * reach) / 60, key[1] + (dy * reach) / 60]),
        });
        for (const side of [-6, 6]) pen.line(`out ${j} ${side}`, x - 6, y - side, x + 6, y + side, { stroke: colors.muted, visibility: only(!found[j]) });
        const out = norm(key) || 1;
        const name = [clip(x + (key[0] / out) * 20, 46, pen.width - 24), Math.max(y - (key[1] / out) * 20, 9)];
        pen.text(`name ${j}`, ...name, labels[j], { anchor: "middle", fill: found[j] ? colors.keyInk : colors.muted, halo: true, "pointer-events": "none" });
      });
      pen.arrow("query", at.x(0), at.y(0), at.x(q[0]), at.y(q[1]), colors.query, { width: 3, size: 11 });
      pen.handle("hold query", at.x(q[0]), at.y(q[1]), {
        label: "query", value: `${number(angle, 0)} degrees, length ${number(length)}`, now: angle, role: "query",
        move: (px, py) => {
          const place = inside(at.back(px, py));
          set({ angle: degrees(place), length: norm(place) });
        },
        step: (dx, dy) => set(dx ? { angle: turned(angle, dx) } : { length: clip(length + (dy * reach) / 60, 0, reach) }),
      });
      pen.text("q", at.x(q[0]) + 14, at.y(q[1]) - 15, "q", { fill: colors.queryInk, "font-weight": 700, halo: true, "pointer-events": "none" });
    } else if (panel === "numbers") {
      const names = labels.map((label, j) => (found[j] ? label : `${label} ✕`));
      const [step, first] = [Math.min(22, 106 / K.length), 32];
      const most = Math.max(1, length * Math.max(...K.map(norm)));
      pen.text("scores", 12, 12, "scores q · k", { fill: colors.scoresInk, "font-weight": 600 });
      // The same room and scale as the bars have.
      const scale = (pen.width - 134) / (2 * most);
      const toX = (score) => 76 + (most + score) * scale;
      const [low, x] = [first + step * K.length + 10, toX(cut ?? -most)];
      pen.line("cut", x, first - 6, x, low, { stroke: colors.scores, "stroke-width": 2, "stroke-dasharray": "7 4" });
      bars(pen, "score", { y: first, step, labels: names, values: scores, shadows: before?.numbers.scores, color: (j) => (found[j] ? colors.scores : colors.shadow), most, least: -most });
      pen.handle("hold cut", x, low, {
        label: "cut between the keys that answer and those left out", value: `k = ${k} of ${K.length}`, now: k, role: "scores", size: 8,
        move: (px) => set({ k: clip(scores.filter((s) => toX(s) > px).length, 1, K.length) }),
        step: (dx, dy) => set({ k: clip(k - Math.sign(dx) + Math.sign(dy), 1, K.length) }),
      });
      pen.text("cut said", x + (x < 170 ? 16 : -16), low + 2, `cut: k = ${k}`, { anchor: x < 170 ? "start" : "end", fill: colors.scoresInk, "font-size": 12 });
      const top = low + 28;
      pen.text("weights", 12, top, `weights: softmax(scores / ${short(temperature, 3)})`, { fill: colors.weightsInk, "font-weight": 600 });
      bars(pen, "weight", { y: top + 18, step, labels: names, values: weights, shadows: before?.numbers.weights, color: colors.weights });
      const left = K.length - k;
      pen.text("out", 12, pen.height - 8, left ? `✕ left out: ${left > 1 ? `these ${left} get` : "it gets"} exactly 0` : "nobody is left out", { fill: colors.muted, "font-size": 12 });
    } else {
      const [left, right, top, low] = [40, pen.width - 14, 34, pen.height - 40];
      const toX = (a) => left + ((right - left) * (a + 180)) / 360;
      const tall = (low - top) / K.length;
      const turn = (px) => set({ angle: clip(Math.round(((px - left) / (right - left)) * 360 - 180), -180, 180) });
      const outline = (from, j) => from.around[j].map((w, i) => [toX(from.angles[i]), top + tall * (j + 1) - w * (tall - 8)]);
      // The outlines as they were before are worth their ink only if they were others.
      const others = before && (before.state.K !== K || before.state.k !== k || before.state.temperature !== temperature || before.state.length !== length);
      labels.forEach((label, j) => {
        const base = top + tall * (j + 1);
        pen.path(`share ${j}`, [[left, base], ...outline({ angles, around }, j), [right, base]], { fill: colors.weights, "fill-opacity": 0.75, stroke: colors.weights, "stroke-width": 1 }, { closed: true });
        if (others) pen.path(`old ${j}`, outline(before.numbers, j), { stroke: colors.shadow, "stroke-dasharray": "3 2" });
        pen.line(`base ${j}`, left, base, right, base, { stroke: colors.muted, "stroke-width": 1 });
        pen.text(`label ${j}`, left - 6, base - 8, label, { anchor: "end", fill: colors.keyInk });
      });
      range(5).forEach((i) => {
        const a = 90 * i - 180;
        pen.line(`tick ${i}`, toX(a), low, toX(a), low + 5, { stroke: colors.muted });
        pen.text(`degrees ${i}`, toX(a), low + 14, `${number(a, 0)}°`, { anchor: "middle", fill: colors.muted, "font-size": 11 });
      });
      const changed = before && before.state.angle !== angle;
      pen.text("said", left, pen.height - 8, others ? "dashed: before the last move" : "each row: the weight of one key, 0 to 1", { fill: colors.muted, "font-size": 12 });
      pen.ground("ground", left, top, right - left, low - top, turn);
      const x = toX(angle);
      if (changed) pen.line("shadow", toX(before.state.angle), top - 4, toX(before.state.angle), low, { stroke: colors.shadow, "stroke-width": 2, "stroke-dasharray": "4 3" });
      pen.line("cursor", x, top - 14, x, low, { stroke: colors.query, "stroke-width": 2, "pointer-events": "none" });
      labels.forEach((_, j) => pen.circle(`dot ${j}`, x, top + tall * (j + 1) - weights[j] * (tall - 8), 3.5, { fill: colors.paper, stroke: colors.query, "stroke-width": 2, "pointer-events": "none" }));
      pen.handle("hold cursor", x, top - 18, {
        label: "angle of the query", value: `${number(angle, 0)} degrees`, now: angle, role: "query",
        move: turn, step: (dx, dy) => set({ angle: turned(angle, dx + dy) }),
      });
      pen.text("angle", x + (x > right - 60 ? -18 : 18), top - 20, `${number(angle, 0)}°`, { anchor: x > right - 60 ? "end" : "start", fill: colors.queryInk, "font-weight": 700 });
    }
  },
};
