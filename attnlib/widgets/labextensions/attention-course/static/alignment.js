// Two sentences: who of the target listens to whom of the source, as lines, as bars and as a matrix.
import { bars, matrix, number, short, softmax, sum, transpose, weightColor } from "./core.js";

const [ASKS, HEARD, ALL] = [0, 1, 2];
const CELL = [30, 32];
const longest = (words) => 12 + 8 * Math.max(...words.map((word) => word.length));
const best = (list) => list.indexOf(Math.max(...list));

// Each word has room for itself and for a number; what is left over lies between them.
const room = (word) => Math.max(34, 10 + 8.2 * (word.length + word.replace(/[^mw]/gi, "").length / 2));
const needed = (words) => 12 + sum(words.map(room));
const across = ({ target, source }) => Math.max(340, needed(target), needed(source));
function places(words, width) {
  const gap = (width - needed(words)) / (words.length + 1);
  let x = 6 + gap;
  return words.map((word) => {
    const middle = x + room(word) / 2;
    x += room(word) + gap;
    return middle;
  });
}

// What is looked at: what the pointer or the focus is on, and else what was chosen.
const looked = ({ view, word, source, over }) => over ?? (view === ALL ? [ALL, 0] : [view, view === ASKS ? word : source]);

export default {
  name: "alignment",
  title: "an alignment of two sentences",
  advice:
    "point at a word: whom does it ask, or who hears it? Click to keep it, once more for all words. Then heat up until it can no longer tell whom to ask.",
  start: () => ({ view: ASKS, word: 0, source: 0, temperature: 0.1, over: null, cell: null }),

  numbers({ cosines }, { temperature }) {
    const weights = cosines.map((row) => softmax(row.map((s) => s / temperature)));
    return { weights, sums: weights.map(sum), heard: transpose(weights).map(sum) };
  },

  sentence({ target, source }, state, { weights, heard }) {
    const [view, at] = looked(state);
    const lead = `Temperature ${short(state.temperature, 3)}. `;
    const list = (words, values) => words.map((word, i) => `${word} ${number(values[i])}`).join(", ");
    if (view === ASKS) return `${lead}“${target[at]}” attends to ${list(source, weights[at])}.`;
    if (view === HEARD) return `${lead}“${source[at]}” is heard by ${list(target, weights.map((row) => row[at]))}; ${number(heard[at])} in all.`;
    const pairs = target.map((word, i) => `${word} to ${source[best(weights[i])]} ${number(Math.max(...weights[i]))}`);
    return `${lead}Each target word and the source word that it attends to most: ${pairs.join(", ")}.`;
  },

  panels(data) {
    const { target, source } = data;
    const height = Math.max(270, 34 + 26 * Math.max(target.length, source.length) + 30);
    return [
      { name: "lines", title: "As lines: who listens to whom", width: across(data), height: 290 },
      { name: "bars", title: "As numbers", width: 135 + longest([...target, ...source]), height },
      {
        name: "matrix", title: "As a matrix: each row asks", height: 60 + longest(source) * 0.71 + CELL[1] * target.length,
        width: Math.max(300, longest(target) + CELL[0] * source.length + 38),
      },
    ];
  },

  controls: () => [
    { kind: "choice", name: "view", label: "look at", options: ["who asks", "who is heard", "all words"] },
    { kind: "range", name: "temperature", label: "temperature", min: 0.01, max: 10, log: true, step: 0.05 },
    { kind: "play", name: "heat", label: "Heat up", seconds: 6, at: (share, { temperature: t }) => ({ temperature: t * (10 / t) ** share }) },
    { kind: "play", name: "cool", label: "Cool down", seconds: 6, at: (share, { temperature: t }) => ({ temperature: t * (0.01 / t) ** share }) },
  ],

  draw(panel, pen, { data, state, numbers, before, colors, set, glance }) {
    const { target, source, cosines } = data;
    const { weights, sums, heard } = numbers;
    const [view, at] = looked(state);
    const sides = [target, source];
    const column = (matrix, j) => matrix.map((row) => row[j]);
    // A word that is chosen and pressed again is let go: then all words are shown.
    const chosen = (side, i) => state.view === side && state[side === ASKS ? "word" : "source"] === i;
    const choose = (side, i) => set(chosen(side, i) ? { view: ALL, over: null } : { view: side, [side === ASKS ? "word" : "source"]: i, over: null });
    const over = (side, i) => glance({ over: side === null ? null : [side, i], cell: null });

    if (panel === "lines") {
      const width = across(data);
      const [xs, ys] = [sides.map((words) => places(words, width)), [66, pen.height - 68]];
      const line = (key, i, j, more) => pen.line(key, xs[0][i], ys[0] + 14, xs[1][j], ys[1] - 14, more);
      // Of the words not looked at, only the strongest line, and faint.
      weights.forEach((row, i) => line(`faint ${i}`, i, best(row), {
        stroke: view === ALL ? colors.weights : colors.shadow, "stroke-width": view === ALL ? 0.6 + 9 * Math.max(...row) : 1, visibility: view === ASKS && at === i ? "hidden" : null,
      }));
      const strong = view === ALL ? [] : view === ASKS ? weights[at] : column(weights, at);
      strong.forEach((w, i) => {
        const [a, b] = view === ASKS ? [at, i] : [i, at];
        line(`line ${i}`, a, b, { stroke: colors.weights, "stroke-width": 0.5 + 11 * w, visibility: w < 0.005 ? "hidden" : null });
      });
      pen.text("who asks", 8, 12, "target: who asks", { fill: colors.queryInk, "font-size": 12 });
      pen.text("who answers", 8, pen.height - 10, "source: who answers", { fill: colors.valueInk, "font-size": 12 });
      sides.forEach((words, side) => {
        const ink = side === ASKS ? colors.queryInk : colors.valueInk;
        const most = view === 1 - side ? best(strong) : -1;
        words.forEach((word, i) => {
          const [x, y, active] = [xs[side][i], ys[side], view === side && at === i];
          const key = `word ${side} ${i}`;
          const shown = view === 1 - side ? `weight ${number(strong[i])}` : active ? "looked at" : "";
          const said = `${side === ASKS ? "target" : "source"} word ${word}${shown && ", "}${shown}`;
          pen.rect(
            key, x - room(word) / 2 + 1, y - 13, room(word) - 2, 26,
            {
              fill: active ? ink : colors.paper, stroke: chosen(side, i) ? ink : colors.faint, "stroke-width": chosen(side, i) ? 2.5 : 1, rx: 5, class: "cell", role: "button",
              tabindex: (pen.explorer.tabbed.word ?? "0 0") === `${side} ${i}` ? 0 : -1, "aria-pressed": String(chosen(side, i)), "aria-label": said,
            },
            {
              on: {
                click() {
                  pen.explorer.remember();
                  pen.explorer.tabbed.word = `${side} ${i}`;
                  choose(side, i);
                },
                pointerenter: () => over(side, i),
                pointerleave: () => over(null),
                focus: () => over(side, i),
                blur: () => over(null),
                keydown: (event) => pen.explorer.walk(pen, "word", side, i, event, choose),
              },
            },
          );
          const bold = active || most === i ? 700 : 400;
          pen.text(`name ${side} ${i}`, x, y, word, { anchor: "middle", "font-weight": bold, fill: active ? colors.paper : ink, "pointer-events": "none" });
          if (view === 1 - side)
            pen.text(`number ${side} ${i}`, x, y + (side === ASKS ? -24 : 24), number(strong[i]), { anchor: "middle", "font-size": 12, "font-weight": bold });
        });
      });
    } else if (panel === "bars") {
      const asks = view === ASKS;
      const pick = ({ weights }) => (view === ALL ? weights.map((row) => Math.max(...row)) : asks ? weights[at] : column(weights, at));
      const values = pick(numbers);
      const labels = view === ASKS ? source : target;
      const said = view === ALL ? "the largest weight of each" : asks ? `“${target[at]}” attends to` : `“${source[at]}” is heard by`;
      const left = longest([...target, ...source]);
      pen.text("said", 6, 14, said, { "font-weight": 600, fill: view === HEARD ? colors.valueInk : colors.queryInk });
      const bottom = 32 + 26 * labels.length;
      if (view !== HEARD) {
        // What is left at temperature infinity: the same for all.
        const x = left + (pen.width - left - 46) / source.length;
        pen.line("even", x, 26, x, bottom - 4, { stroke: colors.value, "stroke-width": 2, "stroke-dasharray": "2 3" });
      }
      bars(pen, "bar", {
        x: 0, y: 32, step: 26, width: pen.width, room: left, labels, values, color: colors.weights, chosen: view === ALL ? null : best(values),
        shadows: before && before.state.temperature !== state.temperature ? pick(before.numbers) : null,
      });
      const end = view === ALL ? "" : asks ? "sum 1.00" : `sum ${number(heard[at])}`;
      pen.text("end", 6, bottom + 8, end, { "font-size": 12 });
      pen.text("even said", 6, bottom + 25, view === HEARD ? "columns need not sum to 1" : `dotted: 1/${source.length}, all alike`, { fill: colors.valueInk, "font-size": 12 });
    } else {
      const [x, y] = [longest(target), 14 + longest(source) * 0.71];
      source.forEach((word, j) => {
        const [cx, cy] = [x + (j + 0.5) * CELL[0] - 2, y - 6];
        pen.text(`column ${j}`, cx, cy, word, {
          transform: `rotate(-45 ${cx.toFixed(1)} ${cy.toFixed(1)})`, fill: colors.valueInk, "font-weight": view === HEARD && at === j ? 700 : 400,
        });
      });
      const side = state.view === HEARD ? HEARD : ASKS;
      matrix(pen, "pair", {
        x, y, cell: CELL, size: 12, say: (w) => (w < 0.005 ? "0" : number(w)), values: weights, rows: target, columns: source.map(() => ""),
        color: (w) => weightColor(colors, w),
        outlined: (i, j) => state.cell === `${i} ${j}`,
        isOn: (i, j) => chosen(side, side === ASKS ? i : j),
        press: (i, j) => choose(side, side === ASKS ? i : j),
        look: (i, j) => (i === null ? over(null) : glance({ over: [side, side === ASKS ? i : j], cell: `${i} ${j}` })),
        name: (i, j) => `${target[i]} attends to ${source[j]}: cosine ${number(cosines[i][j])}, weight ${number(weights[i][j])}`,
      });
      const [wide, tall] = [CELL[0] * source.length, CELL[1] * target.length];
      // The row or column that is looked at has a frame around it.
      const box = view === ASKS ? [x - 2, y + at * CELL[1] - 2, wide + 2, CELL[1] + 2] : [x + at * CELL[0] - 2, y - 2, CELL[0] + 2, tall + 2];
      pen.rect("frame", ...box, { fill: "none", stroke: colors.accent, "stroke-width": 3, rx: 3, "pointer-events": "none", visibility: view === ALL ? "hidden" : null });
      pen.text("sums of rows", x + wide + 5, y - 12, "sum", { fill: colors.muted, "font-size": 12 });
      sums.forEach((total, i) => pen.text(`sum ${i}`, x + wide + 5, y + (i + 0.5) * CELL[1] - 1, number(total), { fill: colors.muted, "font-size": 12 }));
      pen.text("sums of columns", x - 8, y + tall + 12, "sum", { anchor: "end", fill: colors.muted, "font-size": 12 });
      heard.forEach((total, j) => pen.text(`heard ${j}`, x + (j + 0.5) * CELL[0] - 1, y + tall + 12, number(total), { anchor: "middle", fill: colors.muted, "font-size": 11 }));
      const [i, j] = state.cell ? state.cell.split(" ").map(Number) : view === ASKS ? [at, best(weights[at])] : view === HEARD ? [best(column(weights, at)), at] : [null];
      const read = i === null ? "" : `${target[i]} · ${source[j]}: cosine ${number(cosines[i][j])}, weight ${number(weights[i][j])}`;
      pen.text("read", 6, y + tall + 33, read, { "font-size": 12.5 });
    }
  },
};
