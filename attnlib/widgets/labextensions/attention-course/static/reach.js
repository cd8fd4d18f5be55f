// A small RNN and a small attention read the same words: drag a word, and see how far its nudge reaches in each.
import { clip, dot, number, range, short, softmax } from "./core.js";

const LOWEST = 1e-8; // what reaches less lies on the floor of the picture
const HIGHEST = 1e6; // 1.6 to the power of 25, the most there is, lies below

// 0.0016, but 4.4 · 10⁻⁸.
const said = (x) => {
  if (x === 0 || (x >= 1e-4 && x < 1e4)) return short(x, 2);
  const [digits, power] = x.toExponential(1).split("e");
  return `${digits} · 10${[...String(Number(power))].map((one) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(one)]).join("")}`;
};

export default {
  name: "reach",
  title: "how far a word reaches: hidden state and context vector",
  advice: "drag the first word up and down, on the left: how far does its wave run? And in the middle? Then press Silence, and let w grow.",
  start: ({ x, w, q, n }) => ({ x, w, q, n, at: 0 }),

  numbers(_, { x: all, w, q, n, at }) {
    const x = all.slice(0, n);
    const states = [];
    x.forEach((word, t) => states.push(Math.tanh(word + (t ? w * states[t - 1] : 0))));
    const slopes = states.map((h) => 1 - h * h);
    // What a nudge of the chosen word makes of each state, and what a nudge of each word makes of the last one.
    const wave = range(n).map(() => 0);
    for (let s = at; s < n; s++) wave[s] = slopes[s] * (s === at ? 1 : w * wave[s - 1]);
    const rnn = range(n);
    let onward = 1;
    for (let t = n - 1; t >= 0; t--) {
      onward *= slopes[t];
      rnn[t] = Math.abs(onward);
      onward *= w;
    }
    const weights = softmax(x.map((word) => q * word));
    const context = dot(weights, x);
    const attention = weights.map((share, j) => Math.abs(share * (1 + q * (x[j] - context))));
    return { states, wave, rnn, weights, context, attention };
  },

  sentence(_, { n, at }, { rnn, attention }) {
    const steps = n - 1 - at;
    const where = steps ? `${steps} step${steps > 1 ? "s" : ""} before the last` : "the last";
    return `Word ${at + 1} of ${n}, ${where}: a small nudge of it moves the last state ${said(rnn[at])} times as far, the context ${said(attention[at])} times.`;
  },

  panels: () => [
    { name: "chain", title: "RNN: words and states", width: 310, height: 330 },
    { name: "look", title: "Attention: words and weights", width: 310, height: 330 },
    { name: "reach", title: "How far a nudge reaches", width: 310, height: 330 },
  ],

  controls: ({ x }) => [
    { kind: "range", name: "w", label: "w, how much of the state goes on", min: 0, max: 1.6, step: 0.02, show: (v) => number(v) },
    { kind: "range", name: "q", label: "q, how decided the query is", min: 0, max: 4, step: 0.1, show: (v) => number(v, 1) },
    { kind: "range", name: "n", label: "words", min: 4, max: x.length, step: 1, show: String, change: (n, { at }) => ({ n, at: Math.min(at, n - 1) }) },
    { kind: "button", name: "silence", label: "Silence", act: ({ x: words }) => ({ x: words.map(() => 0) }) },
    { kind: "button", name: "again", label: "The first words again", act: (_, data) => ({ x: data.x }) },
    { kind: "play", name: "grow", label: "Let w grow", seconds: 8, at: (share) => ({ w: Math.round(50 * (0.4 + 1.2 * share)) / 50 }) },
  ],

  draw(panel, pen, { data, state, numbers, before, colors, set }) {
    const { x, n, at } = state;
    const { states, wave, rnn, weights, context, attention } = numbers;
    const old = before && before.state.n === n ? before : null;
    // Discs and what is held need room beside the numbers of the axis, and the wave at its end as well.
    const [left, right] = [panel === "reach" ? 30 : 42, pen.width - (panel === "chain" ? 18 : 14)];
    const room = (panel === "look" ? right - 44 : right) - left;
    const toX = (t) => left + ((t + 0.5) * room) / n;
    const small = { fill: colors.muted, "font-size": 11 };
    const say = (t, word) => set({ at: t, x: x.map((v, i) => (i === t ? clip(Math.round(word * 20) / 20, -2, 2) : v)) });
    const choose = (t) => set({ at: clip(t, 0, n - 1) });
    const nearest = (px) => clip(Math.floor(((px - left) / room) * n), 0, n - 1);
    const level = (name, y, text) => {
      pen.line(`level ${name}`, left, y, left + room, y, { stroke: text === "0" ? colors.muted : colors.faint, "stroke-width": text === "0" ? 1 : 0.6 });
      pen.text(`level said ${name}`, 24, y, text, { ...small, anchor: "end" });
    };
    // All in one path, for speed; the chosen one is drawn over it.
    const stems = (name, across, tops, base, thick, color) => {
      const d = (list) => list.map((t) => `M${across(t).toFixed(1)} ${base}V${tops[t].toFixed(1)}`).join("");
      pen.put("path", `${name} stems`, { d: d(range(n)), stroke: color, "stroke-width": thick, fill: "none", "pointer-events": "none" });
      pen.put("path", `${name} stem`, { d: d([at]), stroke: colors.accent, "stroke-width": thick, fill: "none", "pointer-events": "none" });
    };
    const hold = (toY, fromY, more) =>
      pen.handle("hold", toX(at), toY(x[at]), {
        label: `word ${at + 1} of ${n}`, value: number(x[at]), now: x[at], role: "token", size: 8,
        move: (px, py) => say(at, fromY(py)), step: (dx, dy) => (dy ? say(at, x[at] + 0.05 * dy) : choose(at + dx)), ...more,
      });

    if (panel === "chain") {
      const [upper, lower] = [82, 240];
      const [stateY, wordY] = [(h) => upper - 62 * h, (v) => lower - 30 * v];
      [1, 0, -1].forEach((h) => level(`h ${h}`, stateY(h), number(h, 0)));
      [2, 0, -2].forEach((v) => level(`x ${v}`, wordY(v), number(v, 0)));
      pen.text("states said", left, 10, "states h, between −1 and 1", { ...small });
      pen.text("words said", left, 165, "words x", small);
      if (old) pen.path("old states", old.numbers.states.map((h, t) => [toX(t), stateY(h)]), { stroke: colors.shadow, "stroke-dasharray": "4 3", "stroke-width": 2 });
      pen.path("states", states.map((h, t) => [toX(t), stateY(h)]), { stroke: colors.keyInk, "stroke-width": 1.2 });
      // The wave: what is left of a nudge of the chosen word, as wide as it is strong.
      range(n).forEach((s) => {
        const strong = Math.min(Math.abs(wave[s]), 1.4);
        pen.circle(`wave ${s}`, toX(s), stateY(states[s]), 3 + 10 * strong, { fill: colors.key, "fill-opacity": s < at ? 0 : 0.75, stroke: s < at ? "none" : colors.keyInk, "pointer-events": "none" });
      });
      const dots = states.map((h, t) => `M${toX(t).toFixed(1)} ${stateY(h).toFixed(1)}h0`).join("");
      pen.put("path", "dots", { d: dots, stroke: colors.ink, "stroke-width": Math.min(6, (0.7 * room) / n), "stroke-linecap": "round", "pointer-events": "none" });
      stems("word", toX, x.slice(0, n).map(wordY), lower, Math.max(2, Math.min(10, room / n - 3)), colors.token);
      pen.ground("ground", left, 170, room, 136, (px, py) => say(nearest(px), (lower - py) / 30));
      hold(wordY, (py) => (lower - py) / 30);
      pen.text("legend", left, 322, "● what is left of the nudge, step by step", { fill: colors.keyInk, "font-size": 12 });
    } else if (panel === "look") {
      const middle = 96;
      const valueY = (v) => middle - 36 * v;
      [2, 0, -2].forEach((v) => level(`v ${v}`, valueY(v), number(v, 0)));
      const star = [right - 16, valueY(context)];
      range(n).forEach((j) => pen.line(`thread ${j}`, toX(j), valueY(x[j]), star[0], star[1], { stroke: j === at ? colors.accent : colors.shadow, "stroke-width": Math.max(0.3, 9 * weights[j]), "stroke-opacity": 0.8, "pointer-events": "none" }));
      range(n).forEach((j) => pen.marker(`value ${j}`, "value", toX(j), valueY(x[j]), Math.max(3, Math.min(6, room / n / 2)), { "pointer-events": "none" }));
      if (old) pen.line("old context", star[0] - 14, valueY(old.numbers.context), star[0] + 14, valueY(old.numbers.context), { stroke: colors.shadow, "stroke-width": 2.5, "stroke-dasharray": "3 2" });
      pen.marker("context", "context", ...star, 8, { "pointer-events": "none" });
      pen.text("context said", right, Math.max(star[1] - 18, 12), `c ${number(context)}`, { anchor: "end", fill: colors.contextInk, "font-weight": 700, halo: true });
      const [base, most] = [290, Math.max(...weights)];
      pen.text("weights said", left, 198, `weights; word ${at + 1} has ${number(weights[at])}`, { fill: colors.weightsInk, "font-size": 12 });
      pen.line("base", left, base, left + room, base, { stroke: colors.muted });
      stems("weight", toX, weights.map((w) => base - (76 * w) / most), base, Math.max(2, Math.min(12, room / n - 2)), colors.weights);
      pen.ground("ground", left, middle - 76, room, 152, (px, py) => say(nearest(px), (middle - py) / 36));
      hold(valueY, (py) => (middle - py) / 36);
      pen.text("legend", left, 322, "▲ value = word   ★ context", { fill: colors.contextInk, "font-size": 12 });
    } else {
      const [top, base] = [14, 250];
      const across = (t) => right - 8 - ((right - left - 18) * (n - 1 - t)) / Math.max(n - 1, 1);
      const up = (v) => base - ((base - top) * Math.log10(clip(v, LOWEST, HIGHEST) / LOWEST)) / Math.log10(HIGHEST / LOWEST);
      range(8).forEach((k) => {
        const y = up(10 ** (6 - 2 * k));
        pen.line(`power ${k}`, left, y, right, y, { stroke: k === 3 ? colors.muted : colors.faint, "stroke-width": k === 3 ? 1 : 0.6 });
        pen.text(`power said ${k}`, left - 4, y, ["10⁶", "10⁴", "100", "1", "10⁻²", "10⁻⁴", "10⁻⁶", "10⁻⁸"][k], { ...small, anchor: "end" });
      });
      const ticks = n > 16 ? 8 : n > 8 ? 4 : 2;
      range(n).filter((k) => k % ticks === 0).forEach((k) => pen.text(`tick ${k}`, across(n - 1 - k), base + 13, String(k), { ...small, anchor: "middle" }));
      pen.text("axis", (left + right) / 2, base + 30, "steps before the last word", { ...small, anchor: "middle" });
      const curve = (list) => list.map((v, t) => [across(t), up(v)]);
      if (old) {
        pen.path("old rnn", curve(old.numbers.rnn), { stroke: colors.shadow, "stroke-dasharray": "4 3", "stroke-width": 2 });
        pen.path("old attention", curve(old.numbers.attention), { stroke: colors.shadow, "stroke-dasharray": "1 3", "stroke-width": 2 });
      }
      pen.path("rnn", curve(rnn), { stroke: colors.keyInk, "stroke-width": 2.4 });
      pen.path("attention", curve(attention), { stroke: colors.contextInk, "stroke-width": 2.4, "stroke-dasharray": "6 3" });
      pen.line("here", across(at), top, across(at), base, { stroke: colors.accent, "stroke-dasharray": "2 3" });
      pen.marker("here attention", "context", across(at), up(attention[at]), 7, { "pointer-events": "none" });
      const pick = (px) => choose(Math.round(n - 1 - ((right - 8 - px) / (right - left - 18)) * Math.max(n - 1, 1)));
      pen.ground("ground", left, top, right - left, base - top, pick);
      pen.handle("hold", across(at), up(rnn[at]), {
        label: "word, on the curve of the RNN", value: `word ${at + 1}: state ${said(rnn[at])}, context ${said(attention[at])}`, now: at, role: "key", size: 7,
        move: pick, step: (dx, dy) => choose(at + dx + dy),
      });
      pen.text("rnn said", left, base + 54, `—■ last state: ${said(rnn[at])}`, { fill: colors.keyInk, "font-weight": 700, "font-size": 12 });
      pen.text("attention said", left, base + 72, `- ★ context: ${said(attention[at])}`, { fill: colors.contextInk, "font-weight": 700, "font-size": 12 });
    }
  },
};
