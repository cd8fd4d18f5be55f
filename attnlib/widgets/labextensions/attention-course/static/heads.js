// The heads of a layer on one sentence: choose a head, choose who asks, and read what it gets.
import { number, pressed, range, weightColor } from "./core.js";

const STEP = 24; // from word to word
const TOP = 34;

// What is looked at: the sentence that the page began with, or the last one that the kernel has read.
const reading = (data, state) => state.read ?? data;
const inside = (i, n) => Math.min(Math.max(i, 0), n - 1);

function chosen(data, state) {
  const { tokens, weights } = reading(data, state);
  const [head, token] = [inside(state.head, weights.length), inside(state.token, tokens.length)];
  return { tokens, weights, head, token };
}

export default {
  name: "heads",
  title: "the heads of a layer",
  advice: "choose a head among the small squares, then a word. Step through the heads. Then type a sentence of your own, and press Enter.",
  start: ({ text, head, token }) => ({ text, head, token, read: null, problem: "", look: null }),

  numbers(data, state) {
    const { weights, head, token } = chosen(data, state);
    const row = weights[head][token];
    return { row, strongest: weights.map((one) => one[token].indexOf(Math.max(...one[token]))) };
  },

  sentence(data, state, { row }) {
    if (state.problem) return state.problem;
    const { tokens, weights, head, token } = chosen(data, state);
    const said = tokens.map((word, j) => `${word} ${number(row[j])}`).join(", ");
    return `Head ${head} of ${weights.length} (counted from 0). “${tokens[token]}” attends to ${said}.`;
  },

  panels: ({ tokens, weights }) => [
    { name: "gallery", title: "All heads: choose one", width: 300, height: 30 + Math.ceil(weights.length / 4) * 76 },
    { name: "lines", title: "Who asks, and whom", width: 300, height: TOP + tokens.length * STEP + 8 },
    { name: "matrix", title: "All weights of this head", width: 300, height: 322 },
  ],
  controls: (data) => [
    {
      kind: "text", name: "text", label: "sentence", size: 46,
      async enter(text, explorer) {
        explorer.remember();
        explorer.set({ text, problem: "The kernel reads the sentence ..." });
        if (!explorer.ask) return explorer.set({ problem: "A sentence of your own needs a kernel: open this notebook in JupyterLab, and run this cell there." });
        try {
          const answer = await explorer.ask({ text });
          explorer.set(answer.problem ? { problem: answer.problem } : { read: answer, problem: "" });
        } catch (error) {
          explorer.set({ problem: `No answer, so the last picture stays (${error.message}).` });
        }
      },
    },
    { kind: "button", label: "Head before", act: (state) => ({ head: (state.head + data.weights.length - 1) % data.weights.length }) },
    { kind: "button", label: "Next head", act: (state) => ({ head: (state.head + 1) % data.weights.length }) },
  ],

  draw(panel, pen, { data, state, numbers, before, colors, set, glance, remember }) {
    const { tokens, weights, head, token } = chosen(data, state);
    const n = tokens.length;
    const choose = (changes) => {
      remember();
      set(changes);
    };
    if (panel === "gallery") {
      const cell = 58 / n;
      weights.forEach((one, h) => {
        const [x, y] = [14 + (h % 4) * 72, 18 + Math.floor(h / 4) * 76];
        // Pale weights are made darker: what is small is compared here, not read.
        const marks = range(n * n).filter((k) => one[Math.floor(k / n)][k % n] > 0.02);
        for (const shade of [0.2, 0.45, 0.7, 1]) {
          const among = marks.filter((k) => shadeOf(one[Math.floor(k / n)][k % n]) === shade);
          const d = among.map((k) => `M${(x + (k % n) * cell).toFixed(1)} ${(y + Math.floor(k / n) * cell).toFixed(1)}h${cell.toFixed(1)}v${cell.toFixed(1)}h-${cell.toFixed(1)}z`).join("");
          pen.put("path", `head ${h} ${shade}`, { d: d || "M0 0", fill: weightColor(colors, shade) });
        }
        pen.rect(
          `head ${h}`, x - 3, y - 3, 64, 64,
          { fill: "transparent", stroke: h === head ? colors.accent : colors.faint, "stroke-width": h === head ? 3 : 1, tabindex: 0, role: "button", class: "cell", "aria-pressed": String(h === head), "aria-label": `head ${h}, “${tokens[token]}” looks most at ${tokens[numbers.strongest[h]]}` },
          { on: pressed(() => choose({ head: h })) },
        );
        pen.text(`name ${h}`, x + 29, y + 68, h, { anchor: "middle", "font-size": 11, "font-weight": h === head ? 700 : 400 });
      });
    } else if (panel === "lines") {
      const height = TOP + n * STEP + 8;
      pen.resize(height);
      const y = (i) => TOP + i * STEP;
      pen.text("who", 100, 12, "who asks", { anchor: "end", fill: colors.queryInk, "font-weight": 600 });
      pen.text("whom", 172, 12, "who answers", { fill: colors.keyInk, "font-weight": 600 });
      const old = before && before.numbers.row.length === n ? before.numbers.row : null;
      tokens.forEach((word, j) => {
        const w = numbers.row[j];
        if (old && Math.abs(old[j] - w) > 0.02)
          pen.line(`shadow ${j}`, 108, y(inside(before.state.token, n)), 166, y(j), { stroke: colors.shadow, "stroke-width": Math.max(8 * old[j], 0.4), opacity: 0.35, "stroke-dasharray": "4 3" });
        pen.line(`line ${j}`, 108, y(token), 166, y(j), { stroke: colors.weights, "stroke-width": Math.max(8 * w, 0.3), opacity: Math.max(w, 0.15) });
      });
      tokens.forEach((word, i) => {
        pen.text(`asks ${i}`, 100, y(i), short(word), { anchor: "end", fill: i === token ? colors.queryInk : colors.ink, "font-weight": i === token ? 700 : 400 });
        pen.text(`answers ${i}`, 172, y(i), short(word), { fill: colors.ink });
        pen.text(`weight ${i}`, 296, y(i), number(numbers.row[i]), { anchor: "end", "font-weight": numbers.row[i] > 0.3 ? 700 : 400 });
        pen.rect(
          `choose ${i}`, 4, y(i) - STEP / 2 + 1, 102, STEP - 2,
          { fill: "transparent", stroke: i === token ? colors.query : "none", "stroke-width": 2, rx: 4, tabindex: 0, role: "button", class: "cell", "aria-pressed": String(i === token), "aria-label": `${word} asks` },
          { on: { ...pressed(() => choose({ token: i })), pointerenter: (event) => event.buttons && set({ token: i }) } },
        );
      });
    } else {
      const side = Math.min(200 / n, 40); // the last column's name leans out to the right
      const [left, top] = [72, 62];
      const look = state.look;
      tokens.forEach((word, i) => {
        pen.text(`row ${i}`, left - 5, top + (i + 0.5) * side, short(word, 9), { anchor: "end", "font-size": 11, "font-weight": i === token ? 700 : 400 });
        pen.text(`column ${i}`, 0, 0, short(word, 8), { "font-size": 11, transform: `translate(${(left + (i + 0.5) * side).toFixed(1)} ${top - 6}) rotate(-60)` });
        tokens.forEach((other, j) => {
          pen.rect(
            `cell ${i} ${j}`, left + j * side, top + i * side, side - 1, side - 1, { fill: weightColor(colors, weights[head][i][j]), stroke: colors.faint, "stroke-width": 0.5 },
            { on: { pointerenter: () => glance({ look: `${i} ${j}` }), pointerleave: () => glance({ look: null }), click: () => choose({ token: i }) } },
          );
        });
      });
      pen.rect("asked", left - 1, top + token * side - 1, n * side + 1, side + 1, { fill: "none", stroke: colors.query, "stroke-width": 2, "pointer-events": "none" });
      const [i, j] = look ? look.split(" ").map(Number) : [token, numbers.row.indexOf(Math.max(...numbers.row))];
      if (i < n && j < n) pen.text("read", left, top + n * side + 14, `${tokens[i]} → ${tokens[j]}: ${number(weights[head][i][j])}`, { "font-weight": 600 });
    }
  },
};

function shadeOf(w) {
  return w > 0.6 ? 1 : w > 0.3 ? 0.7 : w > 0.1 ? 0.45 : 0.2;
}

function short(word, most = 12) {
  return word.length > most ? `${word.slice(0, most - 1)}…` : word;
}
