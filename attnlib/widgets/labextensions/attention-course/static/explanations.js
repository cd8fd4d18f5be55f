// Explanations of a word, layer by layer, beside what really moves it: who asks, after which layer, and who is taken away.
import { clip, number, pressed, range, sum } from "./core.js";

const TITLES = ["weights", "contributions", "rollout", "true effect"];
const [LAYERS, STEP, TOP] = [6, 25, 52];

// Bytes in base64, times a scale: [kind][layer][row][column]. Behind them, hundredths from 100 for 0, the rank
// correlations of the exact numbers with the true effect: [kind][layer][row], of which kinds 3 and 4 are means.
const read = new Map();
function unpacked(sentence) {
  if (!read.has(sentence)) {
    const [n, bytes] = [sentence.tokens.length, atob(sentence.bytes)];
    read.set(
      sentence,
      sentence.scales.map((scale, k) => {
        const at = (l, i, j) => bytes.charCodeAt(((k * LAYERS + l) * n + i) * n + j) * scale;
        return range(LAYERS).map((l) => range(n).map((i) => range(n).map((j) => at(l, i, j))));
      }),
    );
  }
  return read.get(sentence);
}

function agreement({ tokens, bytes }, kind, asking) {
  const n = tokens.length;
  const at = (l) => atob(bytes).charCodeAt((4 * LAYERS * n + kind * LAYERS + l) * n + asking);
  return range(LAYERS).map((l) => (at(l) - 100) / 100);
}

// The four rows of the asking word; weights and contributions of the layer, or their mean up to there.
function rowsOf(sentence, { asking, layer, mean }) {
  return unpacked(sentence).map((kind, k) => {
    if (!mean || k > 1) return kind[layer][asking];
    return kind[layer][asking].map((_, j) => sum(range(layer + 1).map((l) => kind[l][asking][j])) / (layer + 1));
  });
}

const most = (row) => row.indexOf(Math.max(...row));
const wordsOf = (tokens) => range(tokens.length).slice(1, -1);

export default {
  name: "explanations",
  title: "explanations of a word, and what really moves it",
  advice: "press a word to let it ask, and drag the mark from layer to layer. Press the × behind a word to take it away, and once more to put it back.",
  start: () => ({ sentence: 0, asking: 6, layer: 2, mean: false, gone: null }),

  numbers({ sentences }, state) {
    const sentence = sentences[state.sentence];
    const agreements = range(3).map((k) => agreement(sentence, state.mean && k < 2 ? k + 3 : k, state.asking));
    const column = state.gone === null ? null : unpacked(sentence)[3][state.layer].map((row) => row[state.gone]);
    return { rows: rowsOf(sentence, state), agreements, without: column ?? [] };
  },

  sentence({ sentences }, state, { rows, agreements, without }) {
    const { tokens } = sentences[state.sentence];
    const { asking, layer, gone } = state;
    const others = wordsOf(tokens).filter((j) => j !== asking);
    const lead = (k) => `${tokens[most(rows[k])]} ${number(Math.max(...rows[k]))}`;
    const farthest = others.reduce((best, j) => (rows[3][j] > rows[3][best] ? j : best), others[0]);
    const marks = agreements.map((row) => number(row[layer]));
    const by = state.mean && layer ? ", means of the layers so far" : "";
    let said =
      `“${tokens[asking]}” asks, after layer ${layer + 1}${by}. Most weight: ${lead(0)}; largest share of the contributions: ${lead(1)}; ` +
      `most by rollout: ${lead(2)}. It moves farthest without “${tokens[farthest]}”: ${number(rows[3][farthest], 1)}. ` +
      `Rank correlations with that: weights ${marks[0]}, contributions ${marks[1]}, rollout ${marks[2]}.`;
    if (gone !== null) {
      const left = wordsOf(tokens).filter((i) => i !== gone);
      const moved = left.reduce((best, i) => (without[i] > without[best] ? i : best), left[0]);
      said += ` Without “${tokens[gone]}”, “${tokens[moved]}” moves farthest: ${number(without[moved], 1)}.`;
    }
    return said;
  },

  panels: () => [
    { name: "layer", title: "Who is heard in the layer", width: 306, height: 360 },
    { name: "through", title: "Through the layers, and in truth", width: 306, height: 360 },
    { name: "agree", title: "Is it the true order?", width: 306, height: 300 },
  ],

  controls: ({ sentences }) => [
    {
      kind: "choice", name: "sentence", label: "Sentence", options: sentences.map(({ tokens }) => tokens.slice(1, -1).join(" ")),
      change: (sentence) => ({ sentence, gone: null, asking: [6, 9, 2][sentence] }),
    },
    { kind: "toggle", name: "mean", label: "Mean of the layers so far" },
    { kind: "play", label: "Play: layer by layer", seconds: 5, at: (share) => ({ layer: Math.min(LAYERS - 1, Math.floor(LAYERS * share)) }) },
  ],

  draw(panel, pen, { data, state, numbers, before, colors, set, remember }) {
    const { tokens } = data.sentences[state.sentence];
    const { asking, layer, gone, mean } = state;
    const { muted, faint, ink, accent, paper, shadow } = colors;
    const small = { "font-size": 11, fill: muted };
    const paints = [colors.weights, colors.value, colors.key, colors.context];
    const n = tokens.length;
    const same = before && before.state.sentence === state.sentence;
    if (panel === "agree") {
      const [left, right, top, bottom] = [42, 288, 40, 236];
      const toX = (l) => left + (l / (LAYERS - 1)) * (right - left);
      const toY = (v) => bottom - ((v + 1) / 2) * (bottom - top);
      for (const v of [-1, -0.5, 0, 0.5, 1]) {
        pen.line(`grid ${v}`, left, toY(v), right, toY(v), { stroke: v ? faint : muted, "stroke-width": v ? 0.7 : 1.2 });
        pen.text(`tick ${v}`, left - 6, toY(v), number(v, 1), { anchor: "end", ...small });
      }
      range(LAYERS).forEach((l) => pen.text(`layer ${l}`, toX(l), bottom + 24, l + 1, { anchor: "middle", ...small }));
      pen.text("axis", (left + right) / 2, bottom + 44, "after layer", { anchor: "middle", ...small });
      pen.text("what", left, 9, "rank correlation with the true effect", small);
      const dashes = [null, "7 3", "2 3"];
      pen.line("here", toX(layer), top, toX(layer), bottom, { stroke: accent, "stroke-dasharray": "4 3" });
      numbers.agreements.forEach((row, k) => {
        if (same && before.numbers.agreements[k].some((v, l) => Math.abs(v - row[l]) > 1e-9))
          pen.path(`before ${k}`, before.numbers.agreements[k].map((v, l) => [toX(l), toY(v)]), { stroke: shadow, "stroke-dasharray": dashes[k], "stroke-width": 1.2 });
        pen.path(`curve ${k}`, row.map((v, l) => [toX(l), toY(v)]), { stroke: paints[k], "stroke-width": 2.6, "stroke-dasharray": dashes[k] });
        pen.circle(`at ${k}`, toX(layer), toY(row[layer]), 5, { fill: paints[k], stroke: paper });
        const x = [4, 106, 212][k];
        pen.line(`key ${k}`, x, 25, x + 18, 25, { stroke: paints[k], "stroke-width": 2.6, "stroke-dasharray": dashes[k] });
        pen.text(`key said ${k}`, x + 22, 25, `${["weights", "contrib.", "rollout"][k]} ${number(row[layer])}`, { "font-size": 11 });
      });
      pen.handle("layer mark", toX(layer), bottom, {
        label: "layer", value: `after layer ${layer + 1}, ${numbers.agreements.map((row, k) => `${TITLES[k]} ${number(row[layer])}`).join(", ")}`, now: layer + 1, role: "query", size: 7,
        move: (px) => set({ layer: clip(Math.round(((px - left) / (right - left)) * (LAYERS - 1)), 0, LAYERS - 1) }),
        step: (dx, dy) => set({ layer: clip(layer + dx + dy, 0, LAYERS - 1) }),
      });
      return;
    }
    const first = panel === "layer" ? 0 : 2;
    const [room, wide] = panel === "layer" ? [76, 102] : [92, 94];
    pen.resize(TOP + n * STEP + 8);
    const y = (i) => TOP + (i + 0.5) * STEP;
    [first, first + 1].forEach((k, place) => {
      const x = room + 10 + place * (wide + 8);
      const lost = k === 3 && gone !== null;
      const values = lost ? numbers.without : numbers.rows[k];
      const longest = Math.max(...values) || 1;
      pen.text(`title ${k}`, x, 11, TITLES[k], { "font-weight": 600, "font-size": 12 });
      const under = lost ? `without “${tokens[gone]}”` : k < 2 ? (mean && layer ? `mean of 1 to ${layer + 1}` : `in layer ${layer + 1}`) : k === 2 ? `layers 1 to ${layer + 1}` : `“${tokens[asking]}” moves`;
      pen.text(`under ${k}`, x, 28, under, small);
      pen.line(`zero ${k}`, x, TOP - 2, x, TOP + n * STEP, { stroke: muted, "stroke-width": 1 });
      values.forEach((value, i) => {
        const silent = k === 3 && (lost ? i === gone : i === 0 || i === n - 1);
        const length = silent ? 0 : (value / longest) * (wide - 46);
        pen.rect(`bar ${k} ${i}`, x, y(i) - 7, length, 14, { fill: paints[k], rx: 1 });
        const old = same && !lost && (k !== 3 || before.state.gone === null) ? before.numbers.rows[k] : null;
        if (old && Math.abs(old[i] - value) > 1e-9) {
          const end = x + Math.min(old[i] / longest, 1.05) * (wide - 46);
          pen.line(`old ${k} ${i}`, end, y(i) - 9, end, y(i) + 9, { stroke: shadow, "stroke-width": 2, "stroke-dasharray": "3 2" });
        }
        pen.text(`number ${k} ${i}`, x + length + 5, y(i), silent ? "–" : number(value, k === 3 ? 1 : 2), { "font-size": 11, fill: silent ? muted : ink, halo: 6 });
      });
    });
    tokens.forEach((token, i) => {
      const isWord = i > 0 && i < n - 1;
      const here = i === asking;
      const cut = i === gone;
      if (panel === "layer") {
        pen.rect(`word ${i}`, 2, y(i) - STEP / 2 + 1, room, STEP - 2, {
          fill: here ? paper : "transparent", stroke: here ? accent : "none", "stroke-width": 2, rx: 4, tabindex: 0, role: "button", class: "cell", "aria-pressed": String(here), "aria-label": `${token} asks`,
        }, { on: pressed(() => (remember(), set({ asking: i }))) });
        pen.text(`token ${i}`, room - 4, y(i), token, { anchor: "end", "pointer-events": "none", "font-weight": here ? 700 : 400, "text-decoration": cut ? "line-through" : null, fill: cut ? muted : ink });
        return;
      }
      pen.text(`token ${i}`, room - 18, y(i), token, { anchor: "end", "font-weight": here ? 700 : 400, "text-decoration": cut ? "line-through" : null, fill: cut ? muted : ink });
      if (!isWord) return;
      pen.rect(`cross ${i}`, room - 13, y(i) - 11, 21, 22, {
        fill: cut ? accent : paper, stroke: cut ? accent : faint, rx: 4, tabindex: 0, role: "button", class: "cell", "aria-pressed": String(cut), "aria-label": `take ${token} away`,
      }, { on: pressed(() => (remember(), set({ gone: cut ? null : i }))) });
      pen.text(`cross said ${i}`, room - 2.5, y(i), "×", { anchor: "middle", "pointer-events": "none", fill: cut ? paper : muted, "font-weight": 700 });
    });
  },
};
