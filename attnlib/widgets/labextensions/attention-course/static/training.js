// A head learns which drawer is meant, with the root of d_k and without it: what it compares, step by step.
import { bars, clip, dot, matrix, number, pressed, range, scoreColor, softmax, sum } from "./core.js";

// Each frame is saved as what has changed since the one before, in units; nothing is written where nothing has.
const decoded = new WeakMap();
function maps(data) {
  if (!decoded.has(data)) {
    const every = data.runs.map(({ unit, frames }) => {
      let flat = null;
      return frames.map((frame) => {
        const changes = frame.split(",").map(Number);
        flat = flat ? flat.map((x, i) => x + changes[i]) : changes;
        return data.drawers.map((_, i) => flat.slice(i * data.width, (i + 1) * data.width).map((x) => x * unit));
      });
    });
    decoded.set(data, every);
  }
  return decoded.get(data);
}

// What comes back through the softmax to the scores: its Jacobian, times the way back from the loss to the weights.
const back = (weights, errors) => weights.map((w, j) => 2 * w * (errors[j] - dot(weights, errors)));

const thingIn = ({ drawers, things }, turned, j) => things[(j + turned) % drawers.length];
const last = (data) => data.steps.length - 1;
// Early steps change more than late ones, and are shown more closely; so the places of the frames are looked up.
const nearest = ({ steps }, step) => range(steps.length).reduce((best, i) => (Math.abs(steps[i] - step) < Math.abs(steps[best] - step) ? i : best), 0);

export default {
  name: "training",
  title: "a head learns to fetch what lies in a drawer, with the root of d_k and without it",
  advice: "let it train, or drag the ringed point along the questions. Click a row of a matrix: that drawer is asked for. Then move the things.",
  start: ({ asked }) => ({ frame: 0, asked, turned: 0, seen: "" }),

  numbers(data, { frame, asked, turned }) {
    const n = data.drawers.length;
    const runs = maps(data).map((frames) => {
      const map = frames[frame];
      const scores = range(n).map((j) => map[asked][j] + map[asked][n + ((j + turned) % n)]);
      const weights = softmax(scores);
      const errors = weights.map((w, j) => w - (j === asked ? 1 : 0));
      const on = sum(range(n).map((i) => map[i][i])) / n;
      const beside = (sum(map.flatMap((row) => row.slice(0, n))) - n * on) / (n * (n - 1));
      return { scores, weights, loss: dot(errors, errors), back: Math.max(...back(weights, errors).map(Math.abs)), on, beside };
    });
    return { runs: { ...runs } };
  },

  sentence(data, { frame, asked, turned }, { runs }) {
    const [step, total, drawer] = [data.steps[frame], data.steps[last(data)], data.drawers[asked]];
    const said = Object.values(runs).map(
      ({ on, beside, weights }, r) => `${data.runs[r].name}: mean score ${number(on, 1)} on the diagonal, ${number(beside, 1)} beside it; ` +
        `asked for drawer ${drawer} (${thingIn(data, turned, asked)}), the head gives it the weight ${number(weights[asked])}.`,
    );
    return `After ${step} of ${total} questions. ${said.join(" ")}`;
  },

  panels: ({ runs }) => [
    { name: "loss", title: "Loss, and the question shown", width: 310, height: 352 },
    ...runs.map(({ name }, r) => ({ name: `run ${r}`, title: `W_q W_kᵀ, ${name}`, width: 310, height: 352 })),
  ],
  controls: (data) => [
    { kind: "play", label: "Train", seconds: 10, at: (share) => ({ frame: Math.round(last(data) * share) }) },
    { kind: "button", label: "A little further", act: ({ frame }) => ({ frame: Math.min(frame + 1, last(data)) }), disabled: ({ frame }) => frame === last(data) },
    { kind: "button", label: "Move the things on", act: ({ turned }) => ({ turned: (turned + 1) % data.drawers.length }) },
  ],

  draw(panel, pen, { data, state, numbers, before, colors, set, glance, remember }) {
    const { drawers, things, steps } = data;
    const { frame, asked, turned, seen } = state;
    const { muted, faint, shadow, accent } = colors;
    const [n, step, total] = [drawers.length, steps[frame], steps[last(data)]];
    const small = { "font-size": 11, fill: muted };
    const roles = ["query", "key"];
    const ask = (i) => set({ asked: i });

    if (panel === "loss") {
      const [left, right, top, bottom] = [34, 296, 14, 174];
      const most = 1.08 * Math.max(data.baseline, ...data.runs.flatMap(({ losses }) => losses));
      const toX = (s) => left + (s / total) * (right - left);
      const toY = (loss) => bottom - (loss / most) * (bottom - top);
      const at = (losses, s) => losses[clip(Math.ceil(s / data.every) - 1, 0, losses.length - 1)];
      for (const loss of [0, 0.5, 1, 1.5, 2].filter((x) => x < most)) {
        pen.line(`grid ${loss}`, left, toY(loss), right, toY(loss), { stroke: loss ? faint : muted, "stroke-width": 0.8 });
        pen.text(`loss ${loss}`, left - 6, toY(loss), loss, { anchor: "end", ...small });
      }
      for (const part of [0, 1, 2, 3]) pen.text(`tick ${part}`, toX((part * total) / 3), bottom + 13, Math.round((part * total) / 3), { anchor: "middle", ...small });
      pen.text("axis", (left + right) / 2, bottom + 29, "questions answered", { anchor: "middle", ...small });
      pen.line("mean", left, toY(data.baseline), right, toY(data.baseline), { stroke: muted, "stroke-dasharray": "6 4" });
      pen.line("now", toX(step), top, toX(step), bottom, { stroke: accent, "stroke-dasharray": "5 4" });
      if (before && before.state.frame !== frame) pen.line("before", toX(steps[before.state.frame]), top, toX(steps[before.state.frame]), bottom, { stroke: shadow, "stroke-width": 2, "stroke-dasharray": "3 2" });
      data.runs.forEach(({ name, losses }, r) => {
        const ink = colors[`${roles[r]}Ink`];
        pen.path(`curve ${r}`, losses.map((loss, i) => [toX((i + 0.5) * data.every), toY(loss)]), { stroke: ink, "stroke-width": 2.2, "stroke-dasharray": r ? "7 3" : null });
        if (r) pen.marker("other", roles[r], toX(step), toY(at(losses, step)), 5);
        const y = bottom + 48 + 18 * r;
        pen.line(`sample ${r}`, 8, y, 36, y, { stroke: ink, "stroke-width": 2.2, "stroke-dasharray": r ? "7 3" : null });
        pen.marker(`mark ${r}`, roles[r], 22, y, 5);
        pen.text(`name ${r}`, 44, y, name, { fill: ink });
        pen.text(`mean ${r}`, 302, y, `mean of ${data.every}: ${number(at(losses, step))}`, { anchor: "end" });
      });
      pen.handle("hold", toX(step), toY(at(data.runs[0].losses, step)), {
        label: "questions answered", value: `${step}, loss ${data.runs.map(({ name, losses }) => `${number(at(losses, step))} ${name}`).join(", ")}`, now: step, role: roles[0], size: 7,
        move: (x) => set({ frame: nearest(data, ((x - left) / (right - left)) * total) }),
        step: (dx, dy) => set({ frame: clip(frame + dx + dy, 0, last(data)) }),
      });
      pen.line("mean sample", 8, bottom + 84, 36, bottom + 84, { stroke: muted, "stroke-dasharray": "6 4" });
      pen.text("mean said", 44, bottom + 84, "answering with the mean of all");
      pen.text("mean value", 302, bottom + 84, number(data.baseline), { anchor: "end" });
      pen.text("step", clip(toX(step), left + 30, right - 30), top - 6, `after ${step}`, { anchor: "middle", "font-weight": 700, halo: true, "pointer-events": "none" });
      pen.text("ask", 8, bottom + 110, `What is in drawer ${drawers[asked]}?`, { "font-weight": 600 });
      drawers.forEach((drawer, j) => {
        const [x, y, on] = [8 + j * 59, bottom + 122, j === asked];
        pen.rect(
          `drawer ${j}`, x, y, 55, 46,
          { fill: "transparent", stroke: on ? accent : muted, "stroke-width": on ? 3 : 1, rx: 4, class: "cell", tabindex: 0, role: "button", "aria-pressed": String(on), "aria-label": `ask for drawer ${drawer}: ${thingIn(data, turned, j)}` },
          { on: pressed(() => (remember(), ask(j))) },
        );
        pen.text(`drawer name ${j}`, x + 27, y + 14, drawer, { anchor: "middle", "font-weight": 700, "pointer-events": "none" });
        pen.text(`drawer thing ${j}`, x + 27, y + 33, thingIn(data, turned, j), { anchor: "middle", "pointer-events": "none" });
      });
      return;
    }

    const r = Number(panel.slice(4));
    const [map, { weights, loss, back: returned }] = [maps(data)[r][frame], numbers.runs[r]];
    const old = before?.numbers.runs[r];
    const names = [...drawers, ...things];
    const [x, y, wide, high] = [26, 24, 28, 22];
    const largest = Math.max(...map.flat().map(Math.abs));
    names.forEach((name, j) => pen.text(`top ${j}`, x + (j + 0.5) * wide - 1, y - 10, name, { anchor: "middle", "font-size": 11 }));
    matrix(pen, "map", {
      x, y, cell: [wide, high], values: map, rows: drawers, columns: names.map(() => ""), size: 11, color: (value) => scoreColor(colors, value, largest), say: () => "",
      name: (i, j) => `${drawers[i]} asks, ${names[j]}: ${number(map[i][j], 1)}`, press: (i) => ask(i), isOn: (i) => i === asked,
      look: (i, j) => glance({ seen: i === null ? "" : `${r} ${i} ${j}` }),
    });
    pen.line("halves", x + n * wide - 1, y - 18, x + n * wide - 1, y + n * high, { stroke: colors.ink, "stroke-width": 1.5, "pointer-events": "none" });
    pen.rect("asked", x - 3, y + asked * high - 2, names.length * wide + 4, high + 2, { fill: "none", stroke: accent, "stroke-width": 2.5, rx: 3, "pointer-events": "none" });
    const [of, i, j] = seen.split(" ").map(Number);
    const told = seen && of === r ? `${drawers[i]} asks, ${names[j]} gives ${number(map[i][j], 1)}` : `blue above 0, brown below; darkest: ${number(largest, 1)}`;
    pen.text("told", x, y + n * high + 12, told, small);
    const { on, beside } = numbers.runs[r];
    pen.text("diagonal", x, y + n * high + 31, `diagonal ${number(on, 1)}, beside it ${number(beside, 1)}`);
    pen.text("weights", 8, 196, `weights when ${drawers[asked]} asks`, { fill: colors.weightsInk, "font-weight": 600 });
    bars(pen, "weight", {
      x: 4, y: 208, width: 302, step: 20, room: 58, labels: drawers.map((drawer, k) => `${drawer}: ${thingIn(data, turned, k)}`), values: weights, shadows: old?.weights,
      color: (k) => (k === asked ? colors[roles[r]] : colors.weights), chosen: asked,
    });
    pen.text("loss", 8, 324, `loss of this question ${number(loss)}${old && number(old.loss) !== number(loss) ? `, was ${number(old.loss)}` : ""}`);
    pen.text("back", 8, 342, `a point of score moves it by ${number(returned, 3)} at most`);
  },
};
