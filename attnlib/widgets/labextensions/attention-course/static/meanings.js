// A word with two meanings on its way through the layers: its vectors seen from the side from which they differ most.
import { clip, number, range, short } from "./core.js";

const LAYERS = 6;
const where = (layer) => (layer ? `after layer ${layer}` : "before the first layer");
// The meaning that a sentence has: the first half is of one, the rest of the other.
const meaningOf = (word, i) => (i < word.texts.length / 2 ? 0 : 1);
const at = (layer) => Math.round(layer);

function between(word, layer) {
  const low = Math.min(Math.floor(layer), LAYERS - 1);
  const share = layer - low;
  return word.points[low].map(([x, y], i) => {
    const [toX, toY] = word.points[low + 1][i];
    return [x + share * (toX - x), y + share * (toY - y)];
  });
}

// A text in lines of so many letters, cut at its spaces.
function lines(text, most) {
  const found = [""];
  for (const word of text.split(" ")) {
    if (found.at(-1) && found.at(-1).length + word.length >= most) found.push("");
    found.push(`${found.pop()} ${word}`.trim());
  }
  return found;
}

export default {
  name: "meanings",
  title: "a word with two meanings, layer by layer",
  advice: "play from the first layer to the last, or drag the layer. Point at a mark (or move to it by Tab and arrow keys) to read its sentence and its nearest neighbour's. Then choose another word.",
  start: () => ({ word: 0, layer: 0, at: null }),

  numbers(data, { word, layer }) {
    const one = data.words[word];
    return { right: one.right[at(layer)], shares: one.right, same: one.gaps[at(layer)][0], other: one.gaps[at(layer)][1], points: between(one, layer) };
  },

  sentence(data, state, { right, same, other }) {
    const word = data.words[state.word];
    return (
      `${word.word} ${where(at(state.layer))}: of ${word.texts.length} sentences, ${short(right, 3)} have their nearest neighbour in the same meaning. ` +
      `The mean cosine is ${number(same)} between two of the same meaning, and ${number(other)} between two of different ones.`
    );
  },

  panels: () => [
    { name: "map", title: "Its vectors, on two axes", width: 306, height: 330 },
    { name: "text", title: "What stands there", width: 306, height: 330 },
    { name: "curve", title: "Right, layer by layer", width: 306, height: 330 },
  ],
  controls: (data) => [
    { kind: "choice", name: "word", label: "word", options: data.words.map(({ word }) => word), change: (word) => ({ word, at: null }) },
    { kind: "range", name: "layer", label: "layer", min: 0, max: LAYERS, step: 1, show: (x) => (Number.isInteger(x) ? String(x) : short(x, 2)) },
    { kind: "play", label: "Play: through the layers", seconds: 6, at: (share) => ({ layer: share === 1 ? LAYERS : LAYERS * share }) },
  ],

  draw(panel, pen, { data, state, numbers, before, colors, set, glance }) {
    const word = data.words[state.word];
    const layer = at(state.layer);
    const near = word.nearest[layer];
    const looks = ["keyInk", "queryInk"].map((name) => colors[name]);
    const small = { "font-size": 11, fill: colors.muted };
    const mark = (key, meaning, x, y, size, more) => pen.marker(key, meaning ? "key" : "query", x, y, size, { fill: looks[meaning], stroke: colors.paper, "stroke-width": 1, ...more });
    const chosen = state.at;
    if (panel === "map") {
      const [x, y, scale] = [153, 154, 124];
      const place = ([px, py]) => [x + px * scale, y - py * scale];
      pen.rect("frame", 3, 4, 300, 300, { fill: "none", stroke: colors.faint, rx: 4 });
      const spots = numbers.points.map(place);
      if (before && before.state.word === state.word && before.state.layer !== state.layer)
        before.numbers.points.map(place).forEach(([px, py], i) =>
          pen.circle(`shadow ${i}`, px, py, 4, { fill: "none", stroke: colors.shadow, "stroke-dasharray": "2 2" }));
      near.forEach((j, i) => {
        const same = meaningOf(word, i) === meaningOf(word, j);
        const here = chosen === i;
        pen.line(`near ${i}`, ...spots[i], ...spots[j], { stroke: here ? colors.accent : colors.muted, "stroke-width": here ? 3 : 1.2, "stroke-dasharray": same ? null : "3 4" });
      });
      const tabbed = pen.explorer.tabbed.map ?? "0 0";
      spots.forEach(([px, py], i) => {
        const meaning = meaningOf(word, i);
        const look = () => glance({ at: i });
        const size = chosen === i ? 9 : chosen !== null && near[chosen] === i ? 8 : 6.5;
        mark(`mark ${i}`, meaning, px, py, size, { "pointer-events": "none", stroke: chosen === i ? colors.ink : colors.paper, "stroke-width": chosen === i ? 2 : 1 });
        pen.circle(`map 0 ${i}`, px, py, 13, {
          fill: "transparent", tabindex: tabbed === `0 ${i}` ? 0 : -1, role: "img", class: "cell",
          "aria-label": `${word.meanings[meaning]}: ${word.texts[i]}. Nearest: ${word.texts[near[i]]}, cosine ${number(word.cosines[layer][i])}`,
        }, { on: { pointerenter: look, pointerdown: look, focus: look, keydown: (event) => pen.explorer.walk(pen, "map", 0, i, event) } });
      });
      pen.text("how", 153, 317, "line to the nearest: full if of the same meaning", { anchor: "middle", ...small });
    } else if (panel === "text") {
      word.meanings.forEach((meaning, i) => {
        mark(`key ${i}`, i, 14, 14 + 24 * i, 6.5);
        pen.text(`key said ${i}`, 28, 14 + 24 * i, `${word.word}: ${meaning}`);
      });
      if (chosen === null) {
        lines("Point at a mark, and its sentence stands here, with that of its nearest neighbour.", 40).forEach((line, k) => pen.text(`none ${k}`, 6, 84 + 18 * k, line, { fill: colors.muted }));
        return;
      }
      const said = (key, top, title, i) => {
        pen.text(`${key} title`, 6, top, title, { "font-weight": 600 });
        mark(`${key} mark`, meaningOf(word, i), 14, top + 25, 6.5);
        lines(word.texts[i], 36).forEach((line, k) => pen.text(`${key} ${k}`, 28, top + 25 + 18 * k, line));
      };
      said("this", 80, "This sentence", chosen);
      said("near", 170, `Nearest, cosine ${number(word.cosines[layer][chosen])}`, near[chosen]);
      const same = meaningOf(word, chosen) === meaningOf(word, near[chosen]);
      pen.text("verdict", 6, 258, same ? "the same meaning" : "the other meaning", { "font-weight": 600, fill: same ? colors.valueInk : colors.negative });
    } else {
      const [left, right, top, bottom, n] = [36, 290, 34, 262, word.texts.length];
      const toX = (l) => left + (l / LAYERS) * (right - left);
      const toY = (count) => bottom - (count / n) * (bottom - top);
      for (const share of [0, 0.5, 1]) {
        pen.line(`grid ${share}`, left, toY(share * n), right, toY(share * n), { stroke: share ? colors.faint : colors.muted, "stroke-width": share ? 0.8 : 1.2 });
        pen.text(`tick ${share}`, left - 6, toY(share * n), share * n, { anchor: "end", ...small });
      }
      range(LAYERS + 1).forEach((l) => pen.text(`layer ${l}`, toX(l), bottom + 15, l, { anchor: "middle", ...small }));
      pen.text("axis", (left + right) / 2, bottom + 34, "layers", { anchor: "middle", ...small });
      if (before && before.state.word !== state.word)
        pen.path("shares before", before.numbers.shares.map((v, l) => [toX(l), toY(v)]), { stroke: colors.shadow, "stroke-dasharray": "3 3" });
      pen.path("shares", numbers.shares.map((v, l) => [toX(l), toY(v)]), { stroke: colors.weights, "stroke-width": 2.6 });
      numbers.shares.forEach((v, l) => pen.circle(`share ${l}`, toX(l), toY(v), 3.5, { fill: colors.weights, stroke: colors.paper }));
      const drag = {
        move: (px) => set({ layer: clip(Math.round(((px - left) / (right - left)) * LAYERS), 0, LAYERS) }),
        step: (dx, dy) => set({ layer: clip(layer + dx + dy, 0, LAYERS) }),
      };
      pen.line("here", toX(state.layer), top, toX(state.layer), bottom, { stroke: colors.accent, "stroke-dasharray": "4 3" });
      pen.text("said", 6, 12, `${where(layer)}: ${short(numbers.right, 3)} of ${n} right`, { "font-weight": 600 });
      pen.handle("layer", toX(state.layer), toY(numbers.right), { label: "layer", value: `${where(layer)}, ${short(numbers.right, 3)} of ${n} right`, now: layer, role: "weights", size: 6, ...drag });
    }
  },
};
