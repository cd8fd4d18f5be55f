// A head learns which digit belongs to a letter: what it compares, hears and says, step by step, by three backward passes.
import { bars, clip, matrix, number, pressed, range, scoreColor, softmax, sum } from "./core.js";

// Each frame is saved as what has changed since the one before, in units; nothing is written where nothing has.
const decoded = new WeakMap();
function frames(data) {
  if (!decoded.has(data)) {
    const unpacked = (run, part, width) => {
      let flat = null;
      return run[part].map((frame) => {
        const changes = frame.split(",").map(Number);
        flat = flat ? flat.map((x, i) => x + changes[i]) : changes;
        return range(flat.length / width).map((i) => flat.slice(i * width, (i + 1) * width).map((x) => x * data.units[part]));
      });
    };
    const [n, m] = [data.letters.length, data.digits.length];
    decoded.set(data, data.runs.map((run) => ({ compared: unpacked(run, "compared", n + m), read: unpacked(run, "read", m) })));
  }
  return decoded.get(data);
}

const last = (data) => data.steps.length - 1;
// Early steps change more than late ones, and are shown more closely; so the places of the frames are looked up.
const nearest = ({ steps }, step) => range(steps.length).reduce((best, i) => (Math.abs(steps[i] - step) < Math.abs(steps[best] - step) ? i : best), 0);
const lossAt = ({ every }, losses, step) => losses[clip(Math.ceil(step / every) - 1, 0, losses.length - 1)];
const named = ({ letters, digits }, [letter, digit]) => letters[letter] + digits[digit];
const best = (list) => list.indexOf(Math.max(...list));
const ROLES = ["query", "key", "value", "context"];

export default {
  name: "learning",
  title: "a head learns which digit belongs to a letter",
  advice: "let it train, or drag the ringed point along the steps. Click a row of the matrix to ask for its letter, and a pair to change its digit.",
  start: ({ pairs, asked }) => ({ frame: 0, run: 0, asked, pairs, seen: "" }),

  numbers(data, { frame, run, asked, pairs }) {
    const { compared, read } = frames(data)[run];
    const [map, table, n] = [compared[frame], read[frame], data.letters.length];
    const weights = softmax(pairs.map(([letter, digit]) => map[asked][letter] + map[asked][n + digit]));
    const logits = table[0].map((_, c) => sum(pairs.map(([letter, digit], j) => weights[j] * (table[letter][c] + table[n + digit][c]))));
    const on = sum(range(n).map((i) => map[i][i])) / n;
    const beside = (sum(map.flatMap((row) => row.slice(0, n))) - n * on) / (n * (n - 1));
    return { weights, chances: softmax(logits), on, beside };
  },

  sentence(data, { frame, run, asked, pairs }, { weights, chances, on, beside }) {
    const { letters, digits, runs, steps } = data;
    const held = pairs.findIndex(([letter]) => letter === asked);
    const top = best(weights);
    const gives = held < 0 ? `finds it in no pair, and gives most weight to ${named(data, pairs[top])}, ${number(weights[top])}` : `gives ${named(data, pairs[held])} the weight ${number(weights[held])}`;
    const said = `says ${digits[best(chances)]} with a chance of ${number(Math.max(...chances))}`;
    return (
      `${runs[run].name}, after ${steps[frame]} steps: loss ${number(lossAt(data, runs[run].losses, steps[frame]))}. ` +
      `Mean score ${number(on, 1)} on the diagonal, ${number(beside, 1)} beside it. Asked for ${letters[asked]}, the head ${gives}, and ${said}.`
    );
  },

  panels: () => [
    { name: "loss", title: "Loss, means of ten steps", width: 310, height: 330 },
    { name: "map", title: "What it compares", width: 310, height: 330 },
    { name: "game", title: "A game", width: 310, height: 330 },
  ],
  controls: (data) => [
    { kind: "play", label: "Train", seconds: 8, at: (share) => ({ frame: Math.round(last(data) * share) }) },
    { kind: "button", label: "A little further", act: ({ frame }) => ({ frame: Math.min(frame + 1, last(data)) }), disabled: ({ frame }) => frame === last(data) },
    { kind: "choice", name: "run", label: "backward pass", options: data.runs.map(({ name }) => name) },
    { kind: "button", label: "Other letters", act: ({ pairs, asked }) => ({ pairs: pairs.map(([letter, digit]) => [(letter + 1) % data.letters.length, digit]), asked: (asked + 1) % data.letters.length }) },
  ],

  draw(panel, pen, { data, state, numbers, before, colors, set, glance, remember }) {
    const { letters, digits, runs, steps } = data;
    const { frame, run, asked, pairs, seen } = state;
    const { ink, muted, faint, shadow, accent } = colors;
    const [n, m, step, total] = [letters.length, digits.length, steps[frame], steps[last(data)]];
    const small = { "font-size": 11, fill: muted };
    const role = (r) => ROLES[r % ROLES.length];

    if (panel === "loss") {
      const [left, right, top, bottom] = [34, 288, 20, 190];
      const guess = Math.log(m);
      const most = 1.08 * Math.max(guess, ...runs.flatMap(({ losses }) => losses));
      const toX = (s) => left + (s / total) * (right - left);
      const toY = (loss) => bottom - (loss / most) * (bottom - top);
      for (const loss of [0, 0.5, 1, 1.5, 2, 3].filter((x) => x < most)) {
        pen.line(`grid ${loss}`, left, toY(loss), right, toY(loss), { stroke: loss ? faint : muted, "stroke-width": 0.8 });
        pen.text(`loss ${loss}`, left - 6, toY(loss), loss, { anchor: "end", ...small });
      }
      for (const part of range(4)) pen.text(`tick ${part}`, toX((part * total) / 3), bottom + 13, Math.round((part * total) / 3), { anchor: "middle", ...small });
      pen.text("axis", (left + right) / 2, bottom + 29, "steps", { anchor: "middle", ...small });
      pen.line("guess", left, toY(guess), right, toY(guess), { stroke: muted, "stroke-dasharray": "6 4" });
      pen.line("now", toX(step), top, toX(step), bottom, { stroke: accent, "stroke-dasharray": "5 4" });
      if (before && before.state.frame !== frame) pen.line("before", toX(steps[before.state.frame]), top, toX(steps[before.state.frame]), bottom, { stroke: shadow, "stroke-width": 2, "stroke-dasharray": "3 2" });
      runs.forEach(({ name, losses }, r) => {
        const [color, on, y] = [colors[`${role(r)}Ink`], r === run, bottom + 52 + 22 * r];
        const dash = ["", "7 3", "2 3"][r % 3] || null;
        pen.path(`curve ${r}`, losses.map((loss, i) => [toX((i + 0.5) * data.every), toY(loss)]), { stroke: color, "stroke-width": on ? 3 : 1.6, "stroke-dasharray": dash });
        pen.rect(
          `choose ${r}`, 4, y - 11, 302, 21,
          { fill: "transparent", stroke: on ? accent : "none", "stroke-width": 2, rx: 4, class: "cell", tabindex: 0, role: "button", "aria-pressed": String(on), "aria-label": `backward pass ${name}, loss ${number(lossAt(data, losses, step))}` },
          { on: pressed(() => (remember(), set({ run: r }))) },
        );
        pen.line(`sample ${r}`, 10, y, 40, y, { stroke: color, "stroke-width": on ? 3 : 1.6, "stroke-dasharray": dash, "pointer-events": "none" });
        if (!on) pen.marker(`other ${r}`, role(r), toX(step), toY(lossAt(data, losses, step)), 4.5, { "pointer-events": "none" });
        pen.marker(`mark ${r}`, role(r), 25, y, 5, { "pointer-events": "none" });
        pen.text(`name ${r}`, 50, y, name, { fill: color, "font-weight": on ? 700 : 400, "pointer-events": "none" });
        pen.text(`value ${r}`, 300, y, number(lossAt(data, losses, step)), { anchor: "end", "pointer-events": "none" });
      });
      const y = bottom + 52 + 22 * runs.length;
      pen.line("guess sample", 10, y, 40, y, { stroke: muted, "stroke-dasharray": "6 4" });
      pen.text("guess name", 50, y, "guessing");
      pen.text("guess value", 300, y, number(guess), { anchor: "end" });
      const now = lossAt(data, runs[run].losses, step);
      pen.handle("hold", toX(step), toY(now), {
        label: "steps of training", value: `${step}, loss ${number(now)}`, now: step, role: role(run), size: 7,
        move: (x) => set({ frame: nearest(data, ((x - left) / (right - left)) * total) }),
        step: (dx, dy) => set({ frame: clip(frame + dx + dy, 0, last(data)) }),
      });
      pen.text("step", clip(toX(step), left + 34, right - 34), top - 8, `after ${step}`, { anchor: "middle", "font-weight": 700, halo: true, "pointer-events": "none" });
      return;
    }

    const names = [...letters, ...digits];
    if (panel === "map") {
      const map = frames(data)[run].compared[frame];
      const [x, y, wide, high] = [24, 26, 23.5, 27];
      const largest = Math.max(...map.flat().map(Math.abs));
      names.forEach((name, j) => pen.text(`top ${j}`, x + (j + 0.5) * wide - 1, y - 11, name, { anchor: "middle" }));
      matrix(pen, "map", {
        x, y, cell: [wide, high], values: map, rows: [...letters], columns: names.map(() => ""), size: 11, color: (value) => scoreColor(colors, value, largest), say: () => "",
        name: (i, j) => `ask for ${letters[i]}; ${names[j]}: ${number(map[i][j], 1)}`, press: (i) => set({ asked: i }), isOn: (i) => i === asked,
        look: (i, j) => glance({ seen: i === null ? "" : `${i} ${j}` }),
      });
      pen.line("halves", x + n * wide - 1, y - 18, x + n * wide - 1, y + n * high, { stroke: ink, "stroke-width": 1.5, "pointer-events": "none" });
      pen.rect("asked", x - 2, y + asked * high - 2, names.length * wide + 2, high + 2, { fill: "none", stroke: accent, "stroke-width": 2.5, rx: 3, "pointer-events": "none" });
      const [i, j] = seen.split(" ").map(Number);
      pen.text("told", 8, y + n * high + 16, seen ? `asked for ${letters[i]}, ${names[j]} gives ${number(map[i][j], 1)}` : `blue above 0, brown below; strongest: ${number(largest, 1)}`, small);
      pen.text("left", 8, y + n * high + 38, "W_q W_kᵀ / √d_k: a row asks; left letters, right digits", small);
      pen.text("diagonal", 8, y + n * high + 62, `diagonal ${number(numbers.on, 1)}, beside it ${number(numbers.beside, 1)}`);
      return;
    }

    const old = before?.numbers;
    const held = pairs.findIndex(([letter]) => letter === asked);
    pen.text("question", 8, 12, `What belongs to ${letters[asked]}?`, { "font-weight": 700 });
    pairs.forEach((pair, j) => {
      const [x, on] = [8 + j * 60, j === held];
      pen.rect(
        `pair ${j}`, x, 26, 54, 36,
        { fill: "transparent", stroke: on ? accent : muted, "stroke-width": on ? 3 : 1, rx: 5, class: "cell", tabindex: 0, role: "button", "aria-label": `${named(data, pair)}: change its digit` },
        { on: pressed(() => (remember(), set({ pairs: pairs.map((other, k) => (k === j ? [other[0], (other[1] + 1) % m] : other)) }))) },
      );
      pen.text(`pair name ${j}`, x + 27, 44, named(data, pair), { anchor: "middle", "font-weight": 700, "font-size": 16, "pointer-events": "none" });
    });
    pen.text("weights", 8, 82, "weights of the pairs", { fill: colors.weightsInk, "font-weight": 600 });
    bars(pen, "weight", {
      x: 4, y: 94, width: 302, step: 22, room: 40, labels: pairs.map((pair) => named(data, pair)), values: numbers.weights, shadows: old?.weights,
      color: (j) => (j === held ? colors[role(run)] : colors.weights), chosen: held,
    });
    pen.text("chances", 8, 220, "chances of the digits", { fill: colors.weightsInk, "font-weight": 600 });
    const right = held < 0 ? -1 : pairs[held][1];
    bars(pen, "chance", {
      x: 4, y: 232, width: 302, step: 22, room: 40, labels: [...digits].map((digit, c) => (c === right ? `✓ ${digit}` : digit)), values: numbers.chances, shadows: old?.chances,
      color: (c) => (c === right ? colors[role(run)] : colors.weights), chosen: right,
    });
  },
};
