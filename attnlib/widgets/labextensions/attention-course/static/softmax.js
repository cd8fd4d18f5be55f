// Scores become powers, powers become shares: what the temperature does to that, and what a lift of all does not.
import { clip, entropy, number, range, short, softmax, sum, textOn, weightColor } from "./core.js";

const [COLD, HOT, TOP, BOTTOM] = [0.05, 20, 42, 246];
const between = (share) => COLD * (HOT / COLD) ** share;
const TEMPERATURES = range(61).map((i) => between(i / 60));
const weigh = (scores, temperature) => softmax(scores.map((s) => s / temperature));
const lift = ({ scores, shift }) => scores.map((s) => s + shift);
const listed = (labels, values) => labels.map((label, j) => `${label} ${number(values[j])}`).join(", ");
const signed = (x) => (x < 0 ? "" : "+") + number(x);

// Powers grow long: from ten thousand on, and below a hundredth, as a product with a power of ten.
function power(x) {
  if (!Number.isFinite(x) || x === 0 || (x >= 0.01 && x < 1e4)) return number(x);
  const [digits, exponent] = x.toExponential(1).split("e");
  return `${digits}·10${[...String(Number(exponent))].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("")}`;
}

// The axis of the scores fits them, with room to drag; it gives way while something is pulled over its end.
function fit(values) {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const room = 0.6 * (high - low || 1);
  return [low - room, high + room];
}
const limit = ({ scores }) => Math.max(10, 2 * Math.max(...scores.map(Math.abs)));

// The state with other scores or another shift, nothing farther out than the limit.
function changed(data, state, { scores = state.scores, shift = state.shift }, held = false) {
  const most = limit(data);
  const lifted = scores.map((s) => clip(s + shift, -most, most));
  const [[low, high], ideal] = [state.scale, fit([...lifted, shift])];
  const roomy = !held && (ideal[1] - ideal[0]) * 2 < high - low;
  const scale = roomy ? ideal : [Math.min(low, shift, ...lifted), Math.max(high, shift, ...lifted)];
  return { scores: lifted.map((s) => s - shift), shift, scale };
}

export default {
  name: "softmax",
  title: "scores, powers, weights and their entropy",
  advice: "drag the tip of a score. Lift all scores at once. Then cool down and heat up, or drag the temperature along its curve.",
  start: ({ scores }) => ({ scores, shift: 0, temperature: 1, scale: fit(scores) }),

  numbers(data, state) {
    const lifted = lift(state);
    const powers = lifted.map((s) => Math.exp(s / state.temperature));
    const weights = weigh(lifted, state.temperature);
    const path = TEMPERATURES.map((t) => weigh(lifted, t));
    return { lifted, powers, total: sum(powers), weights, entropy: entropy(weights), shares: Math.exp(entropy(weights)), path, curve: path.map(entropy) };
  },

  sentence({ labels }, { temperature }, { lifted, weights, entropy, shares }) {
    return (
      `Temperature ${short(temperature, 3)}. Scores: ${listed(labels, lifted)}. Weights: ${listed(labels, weights)}. Entropy ` +
      `${number(entropy)} of at most ${number(Math.log(labels.length))} nats: as spread out as ${number(shares)} equal shares.`
    );
  },

  panels: ({ labels }) => [
    { name: "scores", title: "Scores", width: 306, height: 290 },
    { name: "powers", title: "Powers: exp(score / T)", width: 306, height: 290 },
    { name: "weights", title: "Weights: powers / their sum", width: 306, height: 290 },
    { name: "entropy", title: "Entropy and temperature", width: 306, height: 270 },
    ...(labels.length === 3 ? [{ name: "triangle", title: "The three weights as one point", width: 306, height: 270 }] : []),
  ],
  controls: () => [
    { kind: "range", name: "temperature", label: "temperature T", min: COLD, max: HOT, log: true },
    { kind: "play", label: "Play: cold to hot", seconds: 6, at: (share) => ({ temperature: between(share) }) },
    { kind: "play", label: "Play: hot to cold", seconds: 6, at: (share) => ({ temperature: between(1 - share) }) },
  ],

  draw(panel, pen, { data, state, numbers, before, colors, set }) {
    const { labels } = data;
    const { temperature, shift, scale: [low, high] } = state;
    const { lifted, weights, powers } = numbers;
    const n = labels.length;
    const { muted, faint, shadow } = colors;
    const small = { "font-size": 11, fill: muted };
    const toY = (v) => BOTTOM - ((v - low) / (high - low)) * (BOTTOM - TOP);
    const column = (left, j) => left + ((j + 0.5) * (pen.width - 6 - left)) / n;
    const wide = (left) => Math.min(44, (0.6 * (pen.width - left)) / n);
    // Drawn from the start, so that it stays behind the numbers; seen only after a move.
    const was = (key, seen, x, y, left) =>
      pen.line(key, x - wide(left) / 2 - 5, y, x + wide(left) / 2 + 5, y, { stroke: shadow, "stroke-width": 2.5, "stroke-dasharray": "4 2", opacity: seen ? 1 : 0 });
    // Many keys: smaller numbers, and names in two rows.
    const crowd = n > 6;
    const name = (j, x) => pen.text(`name ${j}`, x, crowd && j % 2 ? 283 : crowd ? 269 : 278, labels[j], { anchor: "middle", "font-weight": 600, "font-size": crowd ? 11 : 13 });
    const heat = (t) => clip(10 ** (Math.round(40 * Math.log10(t)) / 40), COLD, HOT); // 0.1, 1 and 10 are easily met

    if (panel === "scores") {
      const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((s) => (high - low) / s <= 6) ?? 1e4;
      for (let i = Math.ceil(low / step); i * step <= high; i++) {
        pen.line(`grid ${i}`, 38, toY(i * step), 300, toY(i * step), { stroke: i ? faint : muted, "stroke-width": i ? 0.7 : 1.3 });
        pen.text(`tick ${i}`, 34, toY(i * step), short(i * step, 3), { anchor: "end", ...small });
      }
      pen.text("how", 38, 10, "the double arrow lifts all of them", small);
      const grain = (high - low) / 100;
      // Pulled over its end, the axis gives way a little at each move.
      const pulled = (y) => clip(low + ((BOTTOM - y) / (BOTTOM - TOP)) * (high - low), low - 3 * grain, high + 3 * grain);
      const moved = (j, s, held) => set(changed(data, state, { scores: state.scores.map((old, i) => (i === j ? s : old)) }, held));
      const release = () => set(changed(data, pen.explorer.state, {})); // this picture may be a move behind
      lifted.forEach((s, j) => {
        const x = column(86, j);
        pen.rect(`bar ${j}`, x - wide(86) / 2, Math.min(toY(0), toY(s)), wide(86), Math.abs(toY(s) - toY(0)), { fill: colors.scores, opacity: 0.75 });
        const old = before?.numbers.lifted[j] ?? s;
        was(`shadow ${j}`, Math.abs(old - s) > 1e-9, x, clip(toY(old), TOP, BOTTOM), 86);
        pen.handle(`hold ${j}`, x, toY(s), {
          label: `score of ${labels[j]}`, value: number(s), now: s, role: "scores", size: 6, done: release,
          move: (_, y) => moved(j, pulled(y) - shift, true),
          step: (dx, dy) => moved(j, state.scores[j] + (dx + dy) * grain),
        });
        pen.text(`number ${j}`, x, toY(s) + (s < 0 ? 21 : -20), number(s, crowd ? 1 : 2), { anchor: "middle", "font-size": crowd ? 11 : 13, halo: true, "pointer-events": "none" });
        name(j, x);
      });
      // The lever of all scores: where the line of zero has been lifted to.
      const all = (c, held) => set(changed(data, state, { shift: clip(c, -limit(data) - Math.min(...state.scores), limit(data) - Math.max(...state.scores)) }, held));
      const y = toY(shift);
      pen.line("lifted", 62, y, 300, y, { stroke: colors.accent, "stroke-dasharray": "5 4" });
      pen.path("lever", [[62, y - 11], [69, y - 2], [65, y - 2], [65, y + 2], [69, y + 2], [62, y + 11], [55, y + 2], [59, y + 2], [59, y - 2], [55, y - 2]], { fill: colors.accent, stroke: "none" }, { closed: true });
      pen.handle("lift", 62, y, {
        label: "added to all scores", value: signed(shift), now: shift, done: release,
        move: (_, at) => all(pulled(at), true), step: (dx, dy) => all(shift + (dx + dy) * grain),
      });
      pen.text("lift number", 62, y - 22, `all ${signed(shift)}`, { anchor: "middle", fill: colors.accent, "font-weight": 600, halo: true, "pointer-events": "none" });
    } else if (panel === "powers") {
      // The same height as its score has; as long as its power, the longest bar always to one place.
      const [x, most, best] = [12, 138, Math.max(...lifted)];
      const long = (s) => most * Math.exp((s - best) / temperature);
      const rise = range(50).map((i) => low + ((best - low) * i) / 49);
      pen.text("how", x, 10, "as high as its score, as long as its power", small);
      pen.line("zero", x, TOP - 14, x, BOTTOM, { stroke: muted });
      pen.path("curve", rise.map((s) => [x + long(s), toY(s)]), { stroke: colors.accent, "stroke-dasharray": "2 3" });
      // What is said of each stands beside it, and apart from the others.
      const order = range(n).sort((a, b) => lifted[b] - lifted[a]);
      const places = [];
      order.forEach((j, i) => (places[i] = Math.max(toY(lifted[j]), i ? places[i - 1] + 16 : 0)));
      places.forEach((y, i) => (places[i] = Math.min(y, BOTTOM - 2 - 16 * (n - 1 - i))));
      order.forEach((j, i) => {
        const y = toY(lifted[j]);
        pen.rect(`bar ${j}`, x, y - 4, long(lifted[j]), 8, { fill: colors.weights, opacity: 0.8 });
        pen.line(`leader ${j}`, x + long(lifted[j]) + 3, y, 160, places[i], { stroke: muted, "stroke-width": 0.8 });
        pen.text(`said ${j}`, 163, places[i], `${labels[j]} ${power(powers[j])}`);
      });
      pen.text("sum", x, 264, `end to end: together ${power(numbers.total)}, cut into shares`, small);
      let from = x;
      weights.forEach((w, j) => {
        const [length, paint] = [282 * w, weightColor(colors, 0.2 + 0.8 * w)];
        pen.rect(`share ${j}`, from, 272, length - 1.5, 16, { fill: paint, stroke: colors.weights, "stroke-width": 0.6 });
        if (length > 7.5 * labels[j].length + 6)
          pen.text(`share name ${j}`, from + length / 2, 280, labels[j], { anchor: "middle", fill: textOn(paint), "font-size": 11.5 });
        from += length;
      });
    } else if (panel === "weights") {
      const at = (w) => BOTTOM - w * (BOTTOM - TOP);
      pen.text("how", 38, 10, "dashed: the same weight for each", small);
      pen.line("zero", 38, at(0), 300, at(0), { stroke: muted });
      pen.line("equal", 38, at(1 / n), 300, at(1 / n), { stroke: muted, "stroke-dasharray": "5 4" });
      for (const w of [0, 0.5, 1]) pen.text(`tick ${w}`, 34, at(w), short(w), { anchor: "end", ...small });
      pen.text("equal share", 34, at(1 / n), `1/${n}`, { anchor: "end", ...small, halo: true });
      weights.forEach((w, j) => {
        const x = column(40, j);
        pen.rect(`bar ${j}`, x - wide(40) / 2, at(w), wide(40), at(0) - at(w), { fill: weightColor(colors, 0.25 + 0.75 * w), stroke: colors.weights });
        const old = before?.numbers.weights[j] ?? w;
        was(`shadow ${j}`, Math.abs(old - w) > 1e-6, x, at(old), 40);
        if (!crowd || w >= 0.005) pen.text(`number ${j}`, x, at(w) - 11, number(w), { anchor: "middle", "font-size": crowd ? 11 : 13, halo: true });
        name(j, x);
      });
    } else if (panel === "entropy") {
      const [left, right, top, bottom] = [40, 262, 40, 222];
      const most = Math.log(n) || 1;
      const toX = (t) => left + (Math.log(t / COLD) / Math.log(HOT / COLD)) * (right - left);
      const at = (h) => bottom - (h / most) * (bottom - top);
      // Left nats; right as many equal shares as have that entropy, where there is room for the number.
      let free = Infinity;
      for (const k of range(n).map((i) => i + 1)) {
        pen.line(`shares ${k}`, left, at(Math.log(k)), right, at(Math.log(k)), { stroke: faint, "stroke-width": k === n ? 1.5 : 0.7 });
        if (free - at(Math.log(k)) < 13 || (k < n && at(Math.log(k)) - top < 13)) continue;
        free = at(Math.log(k));
        pen.text(`shares said ${k}`, right + 6, free, k, { fill: muted });
      }
      pen.text("unit", right + 40, 20, "equal shares", { anchor: "end", ...small });
      pen.text("nats", 8, 20, "nats", small);
      pen.text("zero", left - 8, bottom, "0", { anchor: "end", ...small });
      pen.text("most", left - 8, top, number(Math.log(n)), { anchor: "end", ...small });
      pen.text("most said", left + 20, 20, `ln ${n}: all equal`, small);
      for (const t of [0.05, 0.2, 1, 5, 20]) pen.text(`tick ${t}`, toX(t), bottom + 16, short(t), { anchor: "middle", ...small });
      pen.text("axis", (left + right) / 2, bottom + 36, "cold ← temperature T → hot", { anchor: "middle", ...small });
      const curve = (key, values, more) => pen.path(key, values.map((h, i) => [toX(TEMPERATURES[i]), at(h)]), more);
      if (before) {
        curve("curve before", before.numbers.curve, { stroke: shadow, "stroke-dasharray": "4 3" });
        pen.circle("before", toX(before.state.temperature), at(before.numbers.entropy), 6, { fill: "none", stroke: shadow, "stroke-width": 2, "stroke-dasharray": "3 2" });
      }
      curve("curve", numbers.curve, { stroke: colors.weights, "stroke-width": 2.5 });
      const [x, y] = [toX(temperature), at(numbers.entropy)];
      pen.line("gauge", left, bottom, left, y, { stroke: colors.weights, "stroke-width": 7 });
      pen.line("across", left, y, right, y, { stroke: colors.accent, "stroke-dasharray": "5 4" });
      pen.text("T", right - 6, bottom - 42, `T = ${short(temperature, 3)}: ${number(numbers.entropy)} nats`, { anchor: "end", halo: true, "font-weight": 600 });
      pen.text("H", right - 6, bottom - 22, `as ${number(numbers.shares)} equal shares`, { anchor: "end", halo: true });
      pen.handle("hold", x, y, {
        label: "temperature, along the curve of entropy", role: "weights",
        value: `temperature ${short(temperature, 3)}, entropy ${number(numbers.entropy)} nats, ${number(numbers.shares)} equal shares`, now: temperature,
        move: (px) => set({ temperature: heat(COLD * (HOT / COLD) ** clip((px - left) / (right - left), 0, 1)) }),
        step: (dx, dy) => set({ temperature: heat(clip(temperature * 10 ** ((dx + dy) / 20), COLD, HOT)) }),
      });
    } else {
      const corners = [[30, 226], [276, 226], [153, 28]];
      const at = (w) => [0, 1].map((c) => sum(w.map((share, j) => share * corners[j][c])));
      // A place in the triangle as weights: how far it is from each side.
      const shares = (x, y) => {
        const third = (226 - y) / 198;
        const second = (x - 30 - 123 * third) / 246;
        const inside = [1 - second - third, second, third].map((w) => Math.max(w, 0.001));
        return inside.map((w) => w / sum(inside));
      };
      // The scores that have these weights at this temperature; their mean stays.
      const wanted = (w) => {
        const logs = w.map((share) => temperature * Math.log(share));
        const mean = (sum(state.scores) - sum(logs)) / 3;
        set(changed(data, state, { scores: logs.map((s) => s + mean) }));
      };
      pen.path("sides", corners, { fill: faint, "fill-opacity": 0.25, stroke: muted }, { closed: true });
      range(3).forEach((j) => pen.line(`middle ${j}`, ...at([1 / 3, 1 / 3, 1 / 3]), ...at(range(3).map((i) => (i === j ? 0 : 0.5))), { stroke: faint }));
      pen.path("path", numbers.path.map(at), { stroke: colors.accent, "stroke-dasharray": "2 3" });
      const colder = TEMPERATURES.filter((t) => t < temperature).length;
      pen.path("colder", [...numbers.path.slice(0, colder), weights].map(at), { stroke: colors.accent, "stroke-width": 2.5 });
      if (before) pen.marker("shadow", "weights", ...at(before.numbers.weights), 7, { fill: "none", stroke: shadow, "stroke-width": 2, "stroke-dasharray": "3 2" });
      labels.forEach((label, j) =>
        pen.text(`name ${j}`, corners[j][0] + [-22, 22, 0][j], corners[j][1] + [18, 18, -14][j], label, { anchor: ["start", "end", "middle"][j], "font-weight": 600 }),
      );
      pen.text("cold", 153, 258, "middle: all equal · line: colder · dots: hotter", { anchor: "middle", ...small });
      const [x, y] = at(weights);
      pen.handle("hold", x, y, {
        label: "the weights", value: listed(labels, weights), now: weights[0], role: "weights",
        move: (px, py) => wanted(shares(px, py)),
        step: (dx, dy) => wanted(shares(x + 4 * dx, y - 4 * dy)),
      });
    }
  },
};
