// A mask painted on the scores: the weights follow, and each row shares out what it has.
import { clip, matrix, mix, number, range, scoreColor, short, softmax, sum, textOn, weightColor } from "./core.js";

const MOST = 10; // what the last key can be louder by
const TOP = 34;
const TALL = 38;

// Where everything stands: the labels of the rows, the cells, and room for one more column.
const frame = ({ queries, keys }) => {
  const longest = (words) => Math.max(...words.map((word) => word.length));
  const [left, wide] = [clip(16 + 8 * longest(queries), 46, 114), clip(10 + 8 * longest(keys), 50, 90)];
  const [right, below] = [left + wide * keys.length, TOP + TALL * queries.length];
  return { left, wide, right, below, width: right + 60 };
};

// Powers of e grow long: at most six places.
const power = (x) => (x < 1000 ? number(x) : x < 1e5 ? Math.round(x).toLocaleString("en") : x.toExponential(1).replace("e+", "e"));

export default {
  name: "mask",
  title: "a mask on the scores, and the weights that are left",
  advice:
    "click or drag over the scores until the future is forbidden (keyboard: arrow keys and Space). Then pull the square up: the last key gets louder. Who hears it?",
  start: ({ mask }) => ({ mask, louder: 0, row: 0, column: null }),

  numbers(data, { mask, louder }) {
    const scores = data.scores.map((row) => row.map((s, j) => (j === row.length - 1 ? s + louder : s)));
    const masked = scores.map((row, i) => row.map((s, j) => (mask[i][j] ? s : -Infinity)));
    const weights = masked.map(softmax);
    return { scores, powers: masked.map((row) => row.map(Math.exp)), weights, sums: weights.map(sum) };
  },

  sentence({ queries, keys }, { mask, louder }, { weights }) {
    const seen = mask.map((row) => keys.filter((_, j) => row[j]));
    const may = queries.map((query, i) => `${query} may attend to ${seen[i].join(", ") || "nothing"}`).join("; ");
    const rows = queries.map((query, i) => `${query}: ${seen[i].length ? keys.map((key, j) => `${key} ${number(weights[i][j])}`).join(", ") : "0 everywhere"}`);
    return `${louder ? `All scores of ${keys.at(-1)} + ${short(louder)}. ` : ""}${may}. Weights: ${rows.join("; ")}.`;
  },

  panels(data) {
    const { width, below } = frame(data);
    return [
      { name: "scores", title: "Scores, and the mask on them", width, height: below + 98 },
      { name: "weights", title: "Weights: softmax of what is left", width, height: below + 8 },
      { name: "shares", title: "Each row shares out 1", width, height: below + 30 },
    ];
  },

  controls({ scores, keys }) {
    const all = (allowed) => scores.map((row, i) => row.map((_, j) => allowed(i, j)));
    const last = keys.at(-1);
    return [
      { kind: "button", name: "causal", label: "Causal mask", act: () => ({ mask: all((i, j) => j <= i) }) },
      { kind: "button", name: "open", label: "All allowed", act: () => ({ mask: all(() => true) }) },
      {
        kind: "play", name: "shout", label: `Play: ${last} gets louder`, seconds: 5,
        at: (share, first) => ({ louder: first.louder === MOST ? MOST * share : first.louder + (MOST - first.louder) * share }),
      },
    ];
  },

  draw(panel, pen, { data, state, numbers, before, colors, set, glance }) {
    const { queries, keys } = data;
    const { mask, row, column, louder } = state;
    const { left, wide, right, below } = frame(data);
    const { scores, powers, weights, sums } = numbers;
    const [last, active] = [keys.length - 1, queries[row]];
    // Cells are painted faster than frames are drawn: what counts is the state as it is by then.
    const now = () => pen.explorer.state.mask;
    const cells = {
      x: left, y: TOP, cell: [wide, TALL], rows: queries, columns: keys,
      hatched: (i, j) => !mask[i][j],
      outlined: (i, j) => i === row && j === column,
      isOn: (i, j) => now()[i][j],
      press: (i, j, on) => set({ mask: now().map((line, a) => line.map((old, b) => (a === i && b === j ? on ?? !old : old))) }),
      look: (i, j) => glance(i === null ? { column: null } : { row: i, column: j }),
    };
    const allowed = (i, j) => (mask[i][j] ? "allowed" : "forbidden");
    const closed = mix(colors.paper, colors.muted, 0.18);
    if (panel === "scores") {
      const largest = Math.max(...scores.flat().map(Math.abs));
      matrix(pen, "score", {
        ...cells, values: scores, painted: true,
        color: (s, i, j) => (mask[i][j] ? scoreColor(colors, s, largest) : closed),
        say: (s, i, j) => (mask[i][j] ? number(s) : "−∞"),
        name: (i, j) => `${queries[i]} may attend to ${keys[j]}; score ${number(scores[i][j])}, ${allowed(i, j)}`,
      });
      // The fader stands beside the column that it moves.
      const [x, low, high] = [right + 32, below - 16, TOP + 12];
      const at = (value) => low + ((high - low) * value) / MOST;
      const turn = (value) => set({ louder: clip(Math.round(value * 10) / 10, 0, MOST) });
      pen.line("track", x, low, x, high, { stroke: colors.muted, "stroke-width": 4, "stroke-linecap": "round" });
      if (before && before.state.louder !== louder)
        pen.line("shadow", x - 12, at(before.state.louder), x + 12, at(before.state.louder), { stroke: colors.shadow, "stroke-width": 2.5, "stroke-dasharray": "3 2" });
      pen.rect("column", left + last * wide - 2, TOP - 3, wide + 2, below - TOP + 4, { fill: "none", stroke: colors.key, "stroke-width": 2, rx: 4, "pointer-events": "none" });
      pen.text("louder", x, 10, `+${number(louder, 1)}`, { anchor: "middle", fill: colors.keyInk, "font-weight": 700 });
      pen.text("louder what", x, below + 6, "louder", { anchor: "middle", fill: colors.keyInk, "font-size": 12 });
      pen.handle("fader", x, at(louder), {
        label: `louder: ${keys[last]}`, value: `plus ${number(louder, 1)} to all its scores`, now: louder, role: "key", size: 8,
        move: (_, y) => turn(((y - low) / (high - low)) * MOST),
        step: (dx, dy) => turn(louder + 0.5 * (dx + dy)),
      });
      // One row as one works it out by hand, under the columns it belongs to.
      const total = sum(powers[row]);
      const lines = [
        ["score", scores[row].map((s, j) => (mask[row][j] ? number(s) : "−∞")), ""],
        ["exp", powers[row].map((p) => (p ? power(p) : "0")), `Σ ${total ? power(total) : 0}`],
        ["share", weights[row].map((w, j) => (mask[row][j] ? number(w) : "0")), total ? "Σ 1.00" : "Σ 0"],
      ];
      pen.text("row of", 4, below + 20, `The row of “${active}”${total ? "" : ": nothing to share"}`, { "font-weight": 600, fill: colors.scoresInk });
      lines.forEach(([name, values, end], i) => {
        const y = below + 42 + 22 * i;
        pen.text(`line ${i}`, left - 6, y, name, { anchor: "end", fill: colors.muted, "font-size": 12 });
        values.forEach((value, j) =>
          pen.text(`line ${i} ${j}`, left + (j + 0.5) * wide - 1, y, value, {
            anchor: "middle", "font-size": 12, "font-weight": j === column ? 700 : 400, fill: mask[row][j] ? colors.ink : colors.muted,
          }),
        );
        pen.text(`line ${i} end`, right + 3, y, end, { "font-size": 12 });
      });
    } else if (panel === "weights") {
      matrix(pen, "weight", {
        ...cells, values: weights,
        color: (w, i, j) => (mask[i][j] ? weightColor(colors, w) : closed),
        say: (w, i, j) => (mask[i][j] ? number(w) : "0"),
        name: (i, j) => `${queries[i]} attends to ${keys[j]}: weight ${number(weights[i][j])}, ${allowed(i, j)}`,
      });
      pen.text("sum", right + 4, TOP - 12, "sum", { fill: colors.muted });
      sums.forEach((total, i) => {
        const y = TOP + (i + 0.5) * TALL - 1;
        const empty = total === 0;
        pen.text(`sum ${i}`, right + 4, empty ? y - 7 : y, empty ? "nothing:" : number(total), { "font-weight": empty ? 700 : 400, "font-size": empty ? 11 : 13 });
        if (empty) pen.text(`sum 0 ${i}`, right + 4, y + 8, "0", { "font-weight": 700 });
      });
    } else {
      // Each row is a strip of length 1; the thin one below it is the row before the last move.
      const long = right + 48 - left;
      pen.text("none of it", left, TOP - 12, "0", { anchor: "middle", fill: colors.muted });
      pen.text("all of it", left + long, TOP - 12, "1", { anchor: "middle", fill: colors.muted });
      const fills = range(keys.length).map((j) => (j === last ? colors.key : mix(colors.paper, colors.weights, j % 2 ? 0.4 : 0.2)));
      queries.forEach((query, i) => {
        const y = TOP + TALL * i + 5;
        pen.text(`strip ${i}`, left - 8, y + 12, query, { anchor: "end", "font-weight": i === row ? 700 : 400 });
        pen.rect(`whole ${i}`, left, y, long, 23, { fill: "none", stroke: colors.muted, "stroke-width": 1, "stroke-dasharray": sums[i] ? null : "4 3" });
        let [x, was] = [left, left];
        weights[i].forEach((w, j) => {
          const [room, old] = [w * long, before ? before.numbers.weights[i][j] * long : 0];
          pen.rect(`part ${i} ${j}`, x, y, room, 23, { fill: fills[j], stroke: colors.paper, "stroke-width": 1 });
          if (room > 8 * keys[j].length + 4)
            pen.text(`part name ${i} ${j}`, x + room / 2, y + 12, keys[j], { anchor: "middle", fill: textOn(fills[j]), "font-size": 12 });
          pen.rect(`old ${i} ${j}`, was, y + 25, old - 2, 4, { fill: colors.shadow });
          x += room;
          was += old;
        });
        pen.text(`nothing ${i}`, left + long / 2, y + 12, sums[i] ? "" : "nothing to attend to: 0", { anchor: "middle", "font-size": 12 });
      });
      pen.text("legend", left, below + 14, before ? "thin: before the last move" : "", { fill: colors.muted, "font-size": 12 });
    }
  },
};
