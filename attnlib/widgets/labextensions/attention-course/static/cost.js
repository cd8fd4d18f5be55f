// Scores are read piece by piece, and forgotten; beside them, what four ways of attention cost as a text grows.
import { clip, number, range, scoreColor, short, sum, textOn } from "./core.js";

const [LAYERS, HEADS, D_K, BYTES, PIECE] = [32, 32, 128, 2, 128]; // as in attnlib.plots.cost
const D = HEADS * D_K;
const WAYS = ["whole matrix", "in pieces", "a state", "a cache"];
const LOOKS = [["query", null], ["key", "7 3"], ["value", "8 3 2 3"], ["context", "2 3"]];
const MACHINES = [["phone", 8e9], ["laptop", 16e9], ["large card", 80e9]];
const DAYS = [["1 hour at 10¹²/s", 3.6e15], ["1 hour at 10¹⁵/s", 3.6e18]];
const [FIRST, LAST] = [16, 80]; // n goes from 2⁴ to 2²⁰, in quarters of a doubling
const POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

const length = (k) => Math.round(2 ** (k / 4));
const memory = (n) => [HEADS * n * n, HEADS * n * PIECE, LAYERS * HEADS * (D_K + 1) * D_K, 2 * LAYERS * n * D].map((x) => x * BYTES);
function work(n) {
  const anew = (n * (n + 1) * (2 * n + 1)) / 6;
  return [anew, anew, n * D_K, (n * (n + 1)) / 2].map((x) => 2 * D * LAYERS * x);
}
const amount = (x) => {
  const power = Math.min(Math.floor(Math.log10(Math.max(x, 1)) / 3 + 1e-9), 6);
  return `${short(x / 1000 ** power, 3)} ${["", "k", "M", "G", "T", "P", "E"][power]}B`;
};
const tens = (x) => {
  const [digits, power] = x.toExponential(1).split("e+");
  return `${digits} · 10${[...power].map((one) => POWERS[one]).join("")}`;
};
const words = (n) => n.toLocaleString("en");

function partial({ scores, values }, first, end) {
  const m = scores.map((row) => Math.max(...row.slice(first, end)));
  const powers = scores.map((row, i) => row.slice(first, end).map((s) => Math.exp(s - m[i])));
  return { m, l: powers.map(sum), o: powers.map((row) => sum(row.map((p, j) => p * values[first + j]))) };
}

export default {
  name: "cost",
  title: "scores read in pieces, and what four ways of attention cost",
  advice: "drag the blue edge over the keys, and watch l and o shrink where m grows. Then drag the point on the curves to the right: which machine ends first?",
  start: () => ({ chunk: 4, read: 4, row: 1, k: 48 }),

  numbers(data, { chunk, read, k }) {
    const n = length(k);
    const here = Math.floor((read - 1) / chunk) * chunk;
    const [now, piece] = [partial(data, 0, read), partial(data, here, read)];
    const old = here ? partial(data, 0, here) : null;
    // What the last piece made of all that had been added before it.
    const shrink = now.m.map((m, i) => (old ? Math.exp(old.m[i] - m) : 0));
    return { n, here, ...now, piece, shrink, context: now.o.map((o, i) => o / now.l[i]), memory: memory(n), work: work(n) };
  },

  sentence(_, { chunk, read, row }, { n, m, l, o, context, memory: held }) {
    const told = [m, l, o, context].map((list) => number(list[row]));
    return `${read} of 12 keys read in pieces of ${chunk}. Query ${row + 1}: m ${told[0]}, l ${told[1]}, o ${told[2]}, o / l ${told[3]}. For ${words(n)} tokens: ${WAYS.map((way, i) => `${way} ${amount(held[i])}`).join(", ")}.`;
  },

  panels: () => [
    { name: "board", title: "Scores, read in pieces", width: 310, height: 344 },
    { name: "memory", title: "What is held, in bytes", width: 310, height: 344 },
    { name: "work", title: "Products, to write n tokens", width: 310, height: 344 },
  ],

  controls: () => [
    { kind: "button", name: "next", label: "Next piece", act: ({ read, chunk }) => ({ read: read >= 12 ? Math.min(chunk, 12) : Math.min(12, (Math.floor(read / chunk) + 1) * chunk) }) },
    { kind: "play", name: "all", label: "Read key after key", seconds: 8, at: (share) => ({ chunk: 1, read: clip(Math.ceil(12 * share), 1, 12) }) },
    { kind: "play", name: "grow", label: "Let the text grow", seconds: 8, at: (share) => ({ k: Math.round(FIRST + (LAST - FIRST) * share) }) },
  ],

  draw(panel, pen, { data, state, numbers, before, colors, set, glance }) {
    const { chunk, read, row, k } = state;
    const small = { fill: colors.muted, "font-size": 11 };
    if (panel === "board") {
      const [x, y, cell, tall] = [30, 44, 22, 22];
      const { m, l, o, piece, shrink, context, here } = numbers;
      const below = y + 6 * tall;
      const largest = Math.max(...data.scores.flat().map(Math.abs));
      const choose = (i) => set({ row: clip(i, 0, 5) });
      const most = (keys) => {
        const size = clip(Math.round(keys), 1, 12);
        return { chunk: size, read: Math.min(12, Math.ceil(read / size) * size) };
      };
      const edge = (pieces) => ({ read: Math.min(12, Math.max(1, pieces) * chunk) });
      // The width of a piece, as a ruler on top.
      pen.line("ruler", x, y - 16, x + chunk * cell, y - 16, { stroke: colors.keyInk, "stroke-width": 2 });
      pen.text("piece said", x + chunk * cell + (chunk > 8 ? -12 : 14), y - 30, `pieces of ${chunk}`, { fill: colors.keyInk, "font-size": 12, "font-weight": 600, anchor: chunk > 8 ? "end" : "start" });
      range(6).forEach((i) => {
        pen.text(`query ${i}`, x - 22, y + (i + 0.5) * tall, i + 1, { ...small, "font-weight": i === row ? 700 : 400, fill: i === row ? colors.ink : colors.muted, anchor: "middle" });
        range(12).forEach((j) => {
          const [score, shown, gone] = [data.scores[i][j], j >= here && j < read, j < here];
          const paint = shown ? scoreColor(colors, score, largest) : colors.paper;
          pen.rect(`cell ${i} ${j}`, x + j * cell, y + i * tall, cell - 2, tall - 2, { fill: gone ? colors.faint : paint, stroke: colors.faint, rx: 2 });
          if (shown) pen.text(`score ${i} ${j}`, x + (j + 0.5) * cell - 1, y + (i + 0.5) * tall - 1, number(score, 0), { anchor: "middle", "font-size": 12, fill: textOn(paint) });
        });
      });
      pen.rect("row", x - 3, y + row * tall - 3, 12 * cell + 4, tall + 4, { fill: "none", stroke: colors.ink, "stroke-width": 1.5, rx: 4 });
      pen.ground("rows", x, y, 12 * cell, 6 * tall, (_, py) => choose(Math.floor((py - y) / tall)));
      const at = x + read * cell - 1;
      pen.line("edge", at, y - 6, at, below + 12, { stroke: colors.queryInk, "stroke-width": 3 });
      pen.handle("piece", x + chunk * cell, y - 16, {
        label: "size of a piece", value: `${chunk} keys`, now: chunk, role: "key", size: 6, move: (px) => set(most((px - x) / cell)), step: (dx, dy) => set(most(chunk + dx + dy)),
      });
      pen.handle("edge held", at, below + 12, {
        label: "keys that have been read", value: `${read} of 12`, now: read, role: "query", size: 7,
        move: (px) => set(edge(Math.round((px - x) / cell / chunk))), step: (dx, dy) => set(edge(Math.ceil(read / chunk) + dx + dy)),
      });
      pen.handle("row held", x - 9, y + (row + 0.5) * tall - 1, {
        label: "query whose numbers are shown", value: `query ${row + 1}`, now: row + 1, role: "weights", size: 4,
        move: (_, py) => choose(Math.floor((py - y) / tall)), step: (dx, dy) => choose(row - dy + dx),
      });
      pen.text("held", x + (read > 7 ? 0 : 12 * cell), below + 13, `held: 6 × ${read - here} scores of 72`, { ...small, anchor: read > 7 ? "start" : "end" });
      // The sums of the chosen query: before this piece, shrunk, the piece's own, together.
      const columns = [78, 138, 202, 272];
      ["before, shrunk", "the piece", "together"].forEach((title, i) => pen.text(`title ${i}`, columns[i + 1], below + 42, title, { ...small, anchor: "end" }));
      const shrunk = here ? shrink[row] : null;
      const own = [piece.m[row], piece.l[row] * Math.exp(piece.m[row] - m[row]), piece.o[row] * Math.exp(piece.m[row] - m[row])];
      const whole = [m[row], l[row], o[row]];
      ["m", "l", "o"].forEach((name, i) => {
        const line = below + 62 + 20 * i;
        const left = here ? (i ? whole[i] - own[i] : null) : i ? 0 : -Infinity;
        const first = left === null ? Math.max(...data.scores[row].slice(0, here)) : left;
        pen.text(`name ${name}`, 20, line, name, { "font-weight": 700 });
        [first, own[i], whole[i]].forEach((value, j) => pen.text(`${name} ${j}`, columns[j + 1], line, number(value), { anchor: "end", "font-size": 13, "font-weight": j === 2 ? 700 : 400 }));
      });
      pen.text("factor", 20, below + 126, here ? `the old l and o × ${number(shrunk, 3)}` : "nothing was there before", { "font-size": 12, fill: shrunk !== null && shrunk < 1 ? colors.contextInk : colors.muted, "font-weight": shrunk !== null && shrunk < 1 ? 700 : 400 });
      pen.text("piece factor", 290, below + 126, `the piece × ${number(Math.exp(piece.m[row] - m[row]), 3)}`, { "font-size": 12, fill: colors.muted, anchor: "end" });
      pen.text("context", 20, below + 150, `o / l = ${number(context[row])}`, { fill: colors.contextInk, "font-weight": 700 });
      pen.text("of how many", 290, below + 150, read < 12 ? `the context of ${read} keys` : "the context of all keys", { ...small, anchor: "end" });
      return;
    }
    const bytes = panel === "memory";
    const [left, right, top, base] = [54, 302, 12, 226];
    const [low, high] = bytes ? [4, 14] : [6, 24];
    const across = (at) => left + ((right - left) * (at - FIRST)) / (LAST - FIRST);
    const up = (v) => base - ((base - top) * (clip(Math.log10(v), low, high) - low)) / (high - low);
    const of = bytes ? memory : work;
    range((high - low) / 2 + 1).forEach((i) => {
      const power = low + 2 * i;
      pen.line(`grid ${power}`, left, up(10 ** power), right, up(10 ** power), { stroke: colors.faint, "stroke-width": 0.6 });
      if (i % (bytes ? 1 : 3) === 0) pen.text(`power ${power}`, left - 5, up(10 ** power), bytes ? amount(10 ** power) : `10${[...String(power)].map((one) => POWERS[one]).join("")}`, { ...small, anchor: "end" });
    });
    [[16, "16"], [32, "256"], [48, "4,096"], [80, "a million"]].forEach(([at, text]) =>
      pen.text(`tick ${at}`, across(at), base + 13, text, { ...small, anchor: at === 80 ? "end" : "middle" }));
    (bytes ? MACHINES : DAYS).forEach(([name, room], i) => {
      pen.line(`machine ${i}`, left, up(room), right, up(room), { stroke: colors.muted, "stroke-width": 1.2, "stroke-dasharray": "2 3" });
      if (!bytes || i !== 1) pen.text(`machine said ${i}`, left + 4, up(room) - 8 + (bytes && i === 0 ? 16 : 0), bytes ? (i ? `${name}, ${amount(room)}` : "phone 8, laptop 16") : name, { ...small, halo: true });
    });
    const stops = range(LAST - FIRST + 1).map((i) => FIRST + i);
    LOOKS.forEach(([role, dashes], i) => {
      const points = stops.filter((at) => at % 2 === 0).map((at) => [across(at), up(of(length(at))[i])]);
      pen.path(`way ${i}`, points, { stroke: colors[`${role}Ink`], "stroke-width": i === 0 && !bytes ? 5 : 2.4, "stroke-dasharray": dashes });
    });
    if (before && before.state.k !== k) pen.line("old", across(before.state.k), top, across(before.state.k), base, { stroke: colors.shadow, "stroke-dasharray": "3 3" });
    pen.line("here", across(k), top, across(k), base, { stroke: colors.accent, "stroke-width": 1.2 });
    const cost = bytes ? numbers.memory : numbers.work;
    const pick = (px) => set({ k: clip(Math.round(FIRST + ((px - left) / (right - left)) * (LAST - FIRST)), FIRST, LAST) });
    pen.ground("ground", left, top, right - left, base - top, pick);
    LOOKS.forEach(([role], i) => i && pen.marker(`at ${i}`, role, across(k), up(cost[i]), 5, { "pointer-events": "none" }));
    pen.handle(`n ${panel}`, across(k), up(cost[0]), {
      label: "length of the text", value: `${words(numbers.n)} tokens`, now: numbers.n, role: "query", size: 7, move: pick, step: (dx, dy) => set({ k: clip(k + dx + dy, FIRST, LAST) }),
    });
    pen.text("n", left, base + 34, `n = ${words(numbers.n)} tokens`, { "font-weight": 700 });
    LOOKS.forEach(([role, dashes], i) => {
      const line = base + 54 + 17 * i;
      const over = bytes && cost[i] > 80e9;
      pen.line(`key ${i}`, left, line, left + 26, line, { stroke: colors[`${role}Ink`], "stroke-width": i === 0 && !bytes ? 5 : 2.4, "stroke-dasharray": dashes });
      pen.marker(`key mark ${i}`, role, left + 13, line, 4);
      pen.text(`key said ${i}`, left + 34, line, WAYS[i], { "font-size": 12, fill: colors[`${role}Ink`] });
      pen.text(`cost ${i}`, right, line, bytes ? `${amount(cost[i])}${over ? " ✗" : ""}` : tens(cost[i]), { "font-size": 12, anchor: "end", "font-weight": 700, fill: colors[`${role}Ink`] });
    });
  },
};
