// Numbers on their way through split, attention and merge; each keeps its token's colour and its head's mark.
import { clip, matmul, mix, number, pressed, range, softmax, textOn, transpose, weightColor } from "./core.js";

const HEADS = [2, 3];
const LAST = 7;
const TOKENS = ["#9cc9e8", "#f5cc7f", "#8fd3bd"];
const STRIPES = ["#5b2c83", "#8f4a10", "#10502a"]; // of the heads, dark enough on all of those

// The steps, and the shape of what each leaves behind.
const steps = ({ X }, { heads, bug }) => {
  const [n, h, d] = [X.length, HEADS[heads], X[0].length / HEADS[heads]];
  return [
    ["X", [n, h * d]],
    ["P = X @ W", [n, h * d]],
    bug ? ["P.reshape(h, n, d)", [h, n, d]] : ["P.reshape(n, h, d)", [n, h, d]],
    bug ? ["no exchange of axes", [h, n, d]] : ["swapaxes: the split", [h, n, d]],
    ["attend, in each head", [h, n, d]],
    ["swapaxes back", [n, h, d]],
    ["reshape: the merge", [n, h * d]],
    ["times W_o", [n, h * d]],
  ];
};

// Where a number of P stands in the heads: head, row, column.
const place = ({ X }, { heads, bug }, token, column) => {
  const [n, d] = [X.length, X[0].length / HEADS[heads]];
  const flat = token * X[0].length + column;
  return bug ? [Math.floor(flat / (n * d)), Math.floor(flat / d) % n, flat % d] : [Math.floor(column / d), token, column % d];
};

const unique = (list) => [...new Set(list)].sort((a, b) => a - b);
const list = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0]);

export default {
  name: "split",
  title: "numbers on their way through split, attention and merge",
  advice: "play the way, or click one of its steps. Click a number: its token is followed. Then switch the silent bug on, and play again.",
  start: ({ heads }) => ({ step: 0, heads: HEADS.indexOf(heads), token: 0, bug: false }),

  numbers(data, state) {
    const { X, W, W_o } = data;
    const [n, h] = [X.length, HEADS[state.heads]];
    const d = X[0].length / h;
    const projected = matmul(X, W);
    const split = range(h).map(() => range(n).map(() => Array(d).fill(0)));
    const owners = range(h).map(() => range(n).map(() => Array(d).fill(0)));
    projected.forEach((row, t) => row.forEach((x, c) => {
      const [head, i, j] = place(data, state, t, c);
      [split[head][i][j], owners[head][i][j]] = [x, t];
    }));
    const weights = split.map((part) => matmul(part, transpose(part)).map((scores) => softmax(scores.map((s) => s / Math.sqrt(d)))));
    const contexts = split.map((part, head) => matmul(weights[head], part));
    const merged = range(n).map((i) => contexts.flatMap((part) => part[i]));
    return { projected, split, owners, heard: owners.map((part) => unique(part.flat())), weights, contexts, merged, result: matmul(merged, W_o) };
  },

  sentence(data, state, { heard }) {
    const [name, shape] = steps(data, state)[Math.round(state.step)];
    const said = heard.map((own, h) => `${h ? "" : "In the split, "}head ${h} ${h ? "" : "holds numbers "}of ${list(own.map((t) => data.tokens[t]))}`);
    return `Step ${Math.round(state.step)} of ${LAST}, ${name}: shape (${shape.join(", ")}). ${said.join("; ")}.`;
  },

  panels: () => [
    { name: "numbers", title: "The numbers", width: 336, height: 390 },
    { name: "steps", title: "The way", width: 280, height: 390 },
    { name: "weights", title: "Weights in each head", width: 280, height: 390 },
  ],
  controls: ({ tokens }) => [
    { kind: "play", label: "Play the way", seconds: 14, at: (share) => ({ step: held(share * LAST) }) },
    { kind: "play", label: "Next step", seconds: 1.4, at: (share, { step }) => ({ step: Math.min(LAST, Math.floor(step) + share) }), disabled: ({ step }) => step >= LAST },
    { kind: "choice", name: "heads", label: "num_heads", options: HEADS },
    { kind: "choice", name: "token", label: "follow token", options: tokens },
    { kind: "toggle", name: "bug", label: "The silent bug" },
  ],

  draw(panel, pen, { data, state, numbers, colors, set, remember }) {
    const { X, tokens } = data;
    const { step, token, bug } = state;
    const { muted, accent, ink, faint } = colors;
    const [n, h] = [X.length, HEADS[state.heads]];
    const d = X[0].length / h;
    const now = Math.round(step);
    const small = { "font-size": 11, fill: muted };

    if (panel === "numbers") {
      const [wide, high, left] = [46, 34, 52];
      const flat = (row, column) => [left + column * wide, 34 + row * (high + 6)];
      const block = (b, row, column, rows) => [left + 40 + column * wide, 26 + (b * rows + row) * high + b * 26];
      // Where the number of token t, column c stands after step s.
      const at = (s, t, c) => {
        if (s < 2) return flat(t, c);
        const [head, i, j] = place(data, state, t, c);
        if (s > 5) return flat(i, head * d + j);
        if (s === 5) return block(i, head, j, h);
        if (s === 2 && !bug) return block(t, Math.floor(c / d), c % d, h);
        return block(head, i, j, n);
      };
      const value = (t, c) => {
        if (now === 0) return X[t][c];
        const [head, i, j] = place(data, state, t, c);
        if (now < 4) return numbers.projected[t][c];
        return now === 7 ? numbers.result[i][head * d + j] : numbers.contexts[head][i][j];
      };
      const from = Math.floor(step);
      const part = step - from;
      // The names of rows and blocks, while nothing is on its way.
      if (part < 0.02 || part > 0.98) {
        const byHead = now === 3 || now === 4 || (bug && now === 2);
        if (now < 2 || now > 5) tokens.forEach((name, i) => pen.text(`row ${i}`, left - 8, flat(i, 0)[1] + high / 2, name, { anchor: "end", "font-weight": i === token ? 700 : 400 }));
        else {
          const [blocks, rows] = byHead ? [h, n] : [n, h];
          range(blocks).forEach((b) => {
            pen.text(`block ${b}`, left - 44, block(b, 0, 0, rows)[1] - 10, byHead ? `head ${b}` : `token ${tokens[b]}`, { "font-weight": 600 });
            range(rows).forEach((i) => pen.text(`row ${b} ${i}`, left + 32, block(b, i, 0, rows)[1] + high / 2, byHead ? `row ${i} (${tokens[i]})` : `head ${i}`, { anchor: "end", ...small }));
          });
        }
      }
      X.forEach((row, t) => row.forEach((_, c) => {
        const [a, b] = [at(from, t, c), at(Math.min(from + 1, LAST), t, c)];
        // On the way from block to block the tokens go side by side, and none covers another.
        const aside = (from === 2 && !bug) || from === 4 ? 48 * t * Math.sin(Math.PI * part) : 0;
        const [x, y] = [a[0] + (b[0] - a[0]) * part + aside, a[1] + (b[1] - a[1]) * part];
        const own = Math.floor(c / d);
        const [head, i] = place(data, state, t, c);
        // Whose numbers are in it: one token's until they attend, then all of its head's.
        const mixed = now < 4 ? tokens[t] : (now < 7 ? numbers.heard[head] : unique(numbers.heard.flat())).map((o) => tokens[o]).join("");
        const followed = now < 5 ? t === token : i === token;
        pen.rect(`cell ${t} ${c}`, x, y, wide - 3, high - 3,
          { fill: TOKENS[t], stroke: followed ? ink : faint, "stroke-width": followed ? 2.5 : 1, rx: 3, class: "cell", cursor: "pointer" },
          { on: { click: () => (remember(), set({ token: t })) } });
        if (now && now < 7) pen.rect(`stripe ${t} ${c}`, x + 1, y + 1, 4, high - 5, { fill: STRIPES[own], "pointer-events": "none", rx: 2 });
        else pen.rect(`stripe ${t} ${c}`, x + 1, y + 1, 0, high - 5, {});
        pen.text(`value ${t} ${c}`, x + 24.5, y + 9, number(value(t, c), 1), { anchor: "middle", fill: "#000000", "font-size": 12, "pointer-events": "none" });
        pen.text(`tag ${t} ${c}`, x + 24.5, y + 23, now && now < 7 ? `${mixed} h${own}` : mixed, { anchor: "middle", fill: "#000000", "font-size": 11, "pointer-events": "none" });
      }));
    } else if (panel === "steps") {
      // Arrow keys go from step to step.
      const walk = (event, s) => {
        const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
        if (!by) return null;
        event.preventDefault();
        set({ step: clip(s + by, 0, LAST) });
        pen.known.get(`step ${clip(s + by, 0, LAST)}`).focus();
        return true;
      };
      steps(data, state).forEach(([name, shape], s) => {
        const y = 8 + 38 * s;
        const on = s === now;
        const go = pressed(() => (remember(), set({ step: s })));
        pen.rect(`step ${s}`, 6, y, 268, 32,
          { fill: on ? mix(colors.paper, accent, 0.16) : "transparent", stroke: on ? accent : faint, "stroke-width": on ? 2.5 : 1, rx: 5, class: "cell", tabindex: on ? 0 : -1, role: "button", "aria-pressed": String(on), "aria-label": `step ${s}: ${name}, shape (${shape.join(", ")})` },
          { on: { ...go, keydown: (event) => walk(event, s) ?? go.keydown(event) } });
        pen.text(`name ${s}`, 16, y + 16, `${s}  ${name}`, { "font-weight": on ? 700 : 400, "pointer-events": "none", fill: bug && (s === 2 || s === 3) ? colors.negative : ink });
        pen.text(`shape ${s}`, 268, y + 16, `(${shape.join(", ")})`, { anchor: "end", fill: muted, "pointer-events": "none" });
      });
      numbers.heard.forEach((own, head) => pen.text(`heard ${head}`, 10, 328 + 19 * head, `head ${head} hears of ${list(own.map((t) => tokens[t]))}`, {}));
    } else {
      const [wide, high, left] = [46, 24, 104];
      const whose = (head, i) => unique(numbers.owners[head][i]).map((t) => tokens[t]).join("");
      numbers.weights.forEach((rows, head) => {
        const top = 22 + head * (n * high + 44);
        pen.rect(`mark ${head}`, 6, top - 14, 5, 14, { fill: colors.dark ? mix(STRIPES[head], "#ffffff", 0.5) : STRIPES[head] });
        pen.text(`head ${head}`, 16, top - 6, `head ${head}`, { "font-weight": 600 });
        rows.forEach((row, i) => {
          const followed = now < 5 ? numbers.owners[head][i].includes(token) : i === token;
          pen.text(`key ${head} ${i}`, left + (i + 0.5) * wide, top - 6, whose(head, i), { anchor: "middle", "font-size": 12 });
          pen.text(`asks ${head} ${i}`, left - 8, top + 4 + (i + 0.5) * high, `${whose(head, i)} asks`, { anchor: "end", "font-size": 12, "font-weight": followed ? 700 : 400 });
          row.forEach((w, j) => {
            const paint = weightColor(colors, w);
            pen.rect(`weight ${head} ${i} ${j}`, left + j * wide, top + 4 + i * high, wide - 2, high - 2, { fill: paint, stroke: faint, rx: 2 });
            pen.text(`said ${head} ${i} ${j}`, left + (j + 0.5) * wide - 1, top + 3 + (i + 0.5) * high, number(w), { anchor: "middle", "font-size": 12, fill: textOn(paint) });
          });
          if (followed) pen.rect(`followed ${head} ${i}`, left - 3, top + 2 + i * high, n * wide + 4, high + 2, { fill: "none", stroke: accent, "stroke-width": 2.5, rx: 3 });
        });
      });
    }
  },
};

// Half of each step's time goes by while nothing moves.
function held(at) {
  const from = Math.min(Math.floor(at), LAST);
  const t = clip(2 * (at - from) - 1, 0, 1);
  return from + t * t * (3 - 2 * t);
}
