// Kernel regression: a query is dragged along its curve, a bell is pulled wide and narrow, and the error follows.
import { bars, clip, dot, entropy, mix, number, range, short, sum } from "./core.js";

const kernel = (a, b, h) => Math.exp((-((a - b) ** 2) / h / h) / 2); // divided twice: the square of a tiny h would be 0
const two = (x) => Number(x.toPrecision(2));
const SHADES = 6;
const ROUND = range(30).map((i) => [1, 2, 5][i % 3] * 10 ** (Math.floor(i / 3) - 4));

function weigh(q, x, h) {
  const bells = x.map((key) => kernel(q, key, h));
  const total = sum(bells);
  return bells.map((b) => (total ? b / total : 0));
}

// The typical error of a point that is predicted from the others, and of one that hears itself as well.
function errors({ x, y }, h) {
  let [without, within] = [0, 0];
  x.forEach((q, i) => {
    let [total, found, own] = [0, 0, y[i]];
    x.forEach((key, j) => {
      if (j === i) return;
      const near = kernel(q, key, h);
      total += near;
      found += near * y[j];
    });
    without += ((total ? found / total : 0) - own) ** 2;
    within += ((found + own) / (total + 1) - own) ** 2;
  });
  return { out: Math.sqrt(without / x.length), in: Math.sqrt(within / x.length) };
}

// What no move changes is computed once.
const known = new WeakMap();
function fixed(data) {
  if (!known.has(data)) {
    const { x, least } = data;
    const [n, span] = [x.length, x.at(-1) - x[0]];
    const bandwidths = range(49).map((i) => least * (span / least) ** (i / 48));
    const all = bandwidths.map((h) => errors(data, h));
    const left = { out: all.map((one) => one.out), in: all.map((one) => one.in) };
    known.set(data, { grid: range(3 * n - 2).map((i) => x[0] + (span * i) / (3 * n - 3)), bandwidths, left });
  }
  return known.get(data);
}

// Round numbers for an axis.
function ticks(low, high, most) {
  const step = ROUND.find((s) => (high - low) / s <= most) ?? high - low;
  return range(most + 2).map((i) => (Math.ceil(low / step) + i) * step).filter((t) => t <= high);
}

export default {
  name: "bandwidth",
  title: "a smoothed curve, its bell and its error",
  advice:
    "drag the orange square at the edge of the bell: narrow, then wide. Drag the star along the curve. Where does the curve follow one point, where does it forget all?",
  start: ({ bandwidth, at }) => ({ bandwidth, at }),

  numbers(data, { bandwidth, at }) {
    const { x, y } = data;
    const weights = weigh(at, x, bandwidth);
    const { grid, bandwidths, left } = fixed(data);
    const curve = grid.map((q) => {
      let [total, found] = [0, 0];
      for (let j = 0; j < x.length; j++) {
        const near = kernel(q, x[j], bandwidth);
        total += near;
        found += near * y[j];
      }
      return total ? found / total : null; // nobody within reach: no curve
    });
    const order = range(x.length).sort((a, b) => weights[b] - weights[a] || a - b);
    return { weights, order, answer: dot(weights, y), many: Math.exp(entropy(weights)), grid, curve, bandwidths, left, now: errors(data, bandwidth) };
  },

  sentence({ x, names }, { bandwidth, at }, { weights, answer, many, order }) {
    const [x_name, y_name] = names;
    const lead = `Bandwidth ${short(bandwidth, 3)}. At ${x_name} = ${short(at)}`;
    const best = order[0];
    if (!weights[best]) return `${lead} no point is within reach.`;
    return (
      `${lead} the curve is at ${y_name} = ${number(answer, 1)}: an average of about ${number(many, 1)} points, ` +
      `of which the one at ${x_name} = ${short(x[best])} has the largest weight, ${short(weights[best], 2)}.`
    );
  },

  panels: ({ names: [, y] }) => [
    { name: "curve", title: `Triangles: ${y}. Bars: weight`, width: 340, height: 350 },
    { name: "table", title: "Who weighs most", width: 276, height: 350 },
    { name: "error", title: "How far off is it?", width: 306, height: 350 },
  ],

  controls({ x, names, step, least, most }) {
    const to = (end) => (share, { bandwidth: h }) => ({ bandwidth: share < 1 ? h * (end / h) ** share : end });
    return [
      { kind: "range", name: "bandwidth", label: "bandwidth h", min: least, max: most, log: true, step: 0.05, snap: two },
      { kind: "range", name: "at", label: `query (${names[0]})`, min: x[0], max: x.at(-1), step, show: (value) => short(value) },
      { kind: "play", name: "widen", label: "Widen the bell", seconds: 8, at: to(most) },
      { kind: "play", name: "narrow", label: "Narrow it", seconds: 8, at: to(least) },
    ];
  },

  draw(panel, pen, { data, state, numbers, before, colors, set }) {
    const { x, y, names, step, least, most } = data;
    const { bandwidth, at } = state;
    const { weights, order, answer, many, grid, curve, bandwidths, left, now } = numbers;
    const widen = (h) => set({ bandwidth: clip(two(h), least, most) });
    const grow = (dx, dy) => widen(bandwidth * 10 ** (0.05 * (dx + dy)));
    const found = weights[order[0]] > 0;
    const small = { fill: colors.muted, "font-size": 11 };
    const dashed = { stroke: colors.shadow, "stroke-width": 2, "stroke-dasharray": "4 3" };
    const moved = before && before.state.bandwidth !== bandwidth;
    const below = (values, toX, base) => {
      for (const t of values) {
        pen.line(`tick x ${t}`, toX(t), base, toX(t), base + 5, { stroke: colors.muted });
        pen.text(`at x ${t}`, toX(t), base + 14, short(t), { ...small, anchor: "middle" });
      }
    };
    const beside = (values, toY, from, to) => {
      for (const t of values) {
        pen.line(`tick y ${t}`, from, toY(t), to, toY(t), { stroke: t ? colors.faint : colors.muted, "stroke-width": t ? 0.6 : 1 });
        pen.text(`at y ${t}`, from - 6, toY(t), short(t), { ...small, anchor: "end" });
      }
    };

    if (panel === "curve") {
      const [from, to, top, middle, under, base] = [40, pen.width - 14, 10, 204, 232, 306];
      const [low, high] = [Math.min(...y), Math.max(...y)];
      const toX = (v) => from + ((to - from) * (v - x[0])) / (x.at(-1) - x[0]);
      const toY = (v) => middle - 8 - ((middle - top - 16) * (v - low)) / (high - low || 1);
      const go = (v) => set({ at: clip(x[0] + Math.round((v - x[0]) / step) * step, x[0], x.at(-1)) });
      const along = (px) => x[0] + ((px - from) / (to - from)) * (x.at(-1) - x[0]);
      beside(ticks(low, high, 6), toY, from, to);
      below(ticks(x[0], x.at(-1), 6), toX, base);
      pen.text("legend", (from + to) / 2, base + 34, `▲ ${names[1]} of one ${names[0]}   ▮ its weight   ■ edges of the bell`, { ...small, anchor: "middle" });

      // One path a shade, the heaviest on top: hundreds of elements would be slow.
      const shades = range(SHADES).map(() => "");
      x.forEach((key, j) => {
        const share = found ? weights[j] / weights[order[0]] : 0;
        const [px, py, r] = [toX(key), toY(y[j]), 2.4 + 5 * Math.sqrt(share)];
        shades[Math.min(SHADES - 1, Math.floor(share * SHADES))] += `M${px.toFixed(1)} ${(py - r).toFixed(1)}l${(0.87 * r).toFixed(1)} ${(1.5 * r).toFixed(1)}h${(-1.74 * r).toFixed(1)}Z`;
      });
      shades.forEach((d, i) => pen.put("path", `points ${i}`, { d, fill: mix(colors.paper, colors.weights, i / (SHADES - 1)), stroke: colors.value, "stroke-width": 1 }));
      const pieces = (values) => {
        const list = [[]];
        values.forEach((v, i) => (v === null ? list.push([]) : list.at(-1).push([toX(grid[i]), toY(v)])));
        return list.filter((piece) => piece.length > 1);
      };
      if (moved) pieces(before.numbers.curve).forEach((piece, i) => pen.path(`old curve ${i}`, piece, dashed));
      pieces(curve).forEach((piece, i) => pen.path(`curve ${i}`, piece, { stroke: colors.context, "stroke-width": 2.2 }));

      // The bell above the bars: its top is that of the largest weight.
      const own = Math.max(...x.map((key) => kernel(at, key, bandwidth))) || 1;
      const bell = (v) => base - ((base - under) * Math.min(kernel(at, v, bandwidth) / own, 1.15)) / 1.15;
      const tall = (w) => ((base - under) * w) / 1.15 / (weights[order[0]] || 1);
      pen.text("largest", from - 6, base - tall(weights[order[0]]), short(weights[order[0]], 2), { ...small, anchor: "end" });
      pen.text("zero", from - 6, base, "0", { ...small, anchor: "end" });
      pen.line("base", from, base, to, base, { stroke: colors.muted });
      const d = x.map((key, j) => (weights[j] ? `M${toX(key).toFixed(1)} ${base}V${(base - tall(weights[j])).toFixed(1)}` : "")).join("");
      pen.put("path", "weights", { d, stroke: colors.weights, "stroke-width": clip((0.6 * (to - from)) / x.length, 1, 8), fill: "none" });
      if (before && before.state.at !== at) pen.line("old query", toX(before.state.at), top, toX(before.state.at), base, dashed);
      pen.path("bell", grid.map((v) => [toX(v), bell(v)]), { stroke: colors.key, "stroke-width": 2 });
      pen.line("query", toX(at), top, toX(at), base, { stroke: colors.query, "stroke-dasharray": "5 4" });
      pen.ground("ground", from, top, to - from, base - top, (px) => go(along(px)));
      pen.marker("asks", "query", toX(at), base, 6, { "pointer-events": "none" });

      pen.handle("hold query", toX(at), found ? toY(answer) : middle, {
        label: `query (${names[0]})`, value: `${names[0]} ${short(at)}, ${names[1]} ${number(answer, 1)}`, now: at, role: "context", size: 8, move: (px) => go(along(px)), step: (dx, dy) => go(at + (dx + dy) * step),
      });
      // The edge of the bell is one bandwidth away, on the side where there is more room.
      const side = at > (x[0] + x.at(-1)) / 2 ? -1 : 1;
      const edges = [side, -side].map((s) => at + s * bandwidth);
      const place = clip(edges[0], x[0], x.at(-1));
      pen.line("reach", toX(at), bell(place), toX(place), bell(place), { stroke: colors.keyInk, "stroke-width": 1.5 });
      if (Math.abs(edges[1] - clip(edges[1], x[0], x.at(-1))) < 1e-9)
        pen.marker("other edge", "key", toX(edges[1]), bell(edges[1]), 4, { "pointer-events": "none" });
      pen.text("h", clip((toX(at) + toX(place)) / 2, from + 36, to - 36), under - 8, `h = ${short(bandwidth, 3)}`, { anchor: "middle", fill: colors.keyInk, "font-weight": 700, halo: true, "font-size": 12, "pointer-events": "none" });
      pen.handle("hold edge", toX(place), bell(place), {
        label: "bandwidth, the edge of the bell", value: `${short(bandwidth, 3)}`, now: bandwidth, role: "key", size: 7,
        move: (px) => widen(Math.abs(along(px) - at)), step: grow,
      });
    } else if (panel === "table") {
      const shown = Math.min(7, x.length);
      const heavy = order.slice(0, shown);
      const rest = sum(order.slice(shown).map((j) => weights[j]));
      pen.text("head key", 8, 12, names[0], { "font-weight": 600 });
      pen.text("head value", 108, 12, names[1], { anchor: "end", fill: colors.valueInk, "font-weight": 600 });
      pen.text("head weight", 118, 12, "weight", { fill: colors.weightsInk, "font-weight": 600 });
      heavy.forEach((j, i) => pen.text(`value ${i}`, 108, 40 + 26 * i, short(y[j], 4), { anchor: "end", fill: colors.valueInk }));
      bars(pen, "weight", {
        x: 0, y: 32, step: 26, room: 118, width: pen.width, labels: heavy.map(() => ""), values: heavy.map((j) => weights[j]), color: colors.weights,
      });
      heavy.forEach((j, i) => pen.text(`key ${i}`, 8, 40 + 26 * i, short(x[j]), { "font-weight": x[j] === at ? 700 : 400 }));
      const under = 46 + 26 * shown;
      const rows = [
        [`all ${x.length - shown} others together`, number(rest)],
        ["averaged: about", `${number(many, 1)} of ${x.length} points`],
        [`the curve at ${short(at)}`, found ? number(answer, 1) : "nobody near"],
        ["measured there", x.includes(at) ? short(y[x.indexOf(at)]) : "nothing"],
      ];
      pen.line("rule", 8, under - 12, pen.width - 8, under - 12, { stroke: colors.faint });
      rows.forEach(([label, value], i) => {
        pen.text(`row ${i}`, 8, under + 4 + 24 * i, label);
        pen.text(`read ${i}`, pen.width - 8, under + 4 + 24 * i, value, { anchor: "end", "font-weight": 700, fill: i === 2 ? colors.contextInk : colors.ink });
      });
    } else {
      const [from, to, top, base] = [40, pen.width - 14, 46, 266];
      const [first, last] = [bandwidths[0], bandwidths.at(-1)];
      const toX = (h) => from + ((to - from) * Math.log(clip(h, first, last) / first)) / Math.log(last / first);
      const largest = Math.max(...left.out, ...left.in);
      const toY = (e) => base - ((base - top) * e) / largest;
      beside(ticks(0, largest, 5), toY, from, to);
      below(ROUND.filter((t) => t >= first * 0.99 && t <= last * 1.01), toX, base);
      pen.text("bandwidth", (from + to) / 2, base + 31, "bandwidth h (log scale)", { ...small, anchor: "middle" });
      const line = (errors) => errors.map((e, i) => [toX(bandwidths[i]), toY(e)]);
      pen.path("in", line(left.in), { stroke: colors.key, "stroke-width": 2.2, "stroke-dasharray": "6 4" });
      pen.path("out", line(left.out), { stroke: colors.query, "stroke-width": 2.2 });
      pen.text("typical", 8, 12, "typical error", { "font-weight": 600 });
      pen.text("out said", 8, base + 54, `— each point left out: ${number(now.out, 1)}`, { fill: colors.queryInk });
      pen.text("in said", 8, base + 74, `- - each point hears itself: ${number(now.in, 1)}`, { fill: colors.keyInk });
      if (moved) pen.line("old", toX(before.state.bandwidth), top, toX(before.state.bandwidth), base, dashed);
      const px = toX(bandwidth);
      pen.line("here", px, top - 6, px, base, { stroke: colors.keyInk, "stroke-dasharray": "2 3" });
      pen.circle("in here", px, toY(now.in), 4, { fill: colors.key, stroke: colors.keyInk });
      pen.text("h", clip(px, from + 30, to - 36), top - 14, `h = ${short(bandwidth, 3)}`, { anchor: "middle", fill: colors.keyInk, "font-weight": 700, "font-size": 12 });
      const pull = (at) => widen(first * (last / first) ** clip((at - from) / (to - from), 0, 1));
      pen.ground("ground", from, top, to - from, base - top, pull);
      pen.handle("hold bandwidth", px, toY(now.out), {
        label: "bandwidth, on the curve of the error", value: `${short(bandwidth, 3)}, typical error ${number(now.out, 1)}`, now: bandwidth, role: "key", size: 7,
        move: pull, step: grow,
      });
    }
  },
};
