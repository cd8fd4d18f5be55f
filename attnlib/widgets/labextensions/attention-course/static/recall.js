// A picture of pixels, painted by hand, and what a memory of pictures makes of it, update by update, downhill.
import { bars, clip, dot, mix, number, plural, range, short, softmax, sum } from "./core.js";

const MOST = 5; // updates, as in attnlib.plots.recall_steps
const SLICE = range(53).map((i) => -0.15 + i / 40); // places along the line from one memory to another
const CELL = 34;
// Black on white in a dark page, too: as in the pictures of the notebook, and in its words.
const [INK, PAPER] = ["#000000", "#ffffff"];

const spoil = ({ patterns, order }, memory, share) => {
  const picture = memory < 0 ? patterns[0].map(() => -1) : [...patterns[memory]];
  for (const pixel of order.slice(0, Math.round(share * order.length))) picture[pixel] *= -1;
  return picture;
};
const between = (a, b, share) => a.map((x, i) => x + (b[i] - x) * share);
const differs = (picture, stored) => picture.filter((x, i) => x >= 0 !== stored[i] >= 0).length;

// The energy without its constants, given how a state scores with each pattern and how long it is, squared.
const energy = (beta, scores, squared) => {
  const top = Math.max(...scores);
  return squared / 2 - top - Math.log(sum(scores.map((s) => Math.exp(beta * (s - top))))) / beta;
};

// A small picture: the pixels of one grey are one path, worked out once for a picture.
const drawn = new WeakMap();
const thumbnail = (pen, key, x, y, size, picture) => {
  const side = Math.sqrt(picture.length);
  if (!drawn.has(picture)) {
    const greys = new Map();
    picture.forEach((v, i) => {
      const grey = Math.round((clip(v, -1, 1) + 1) * 50);
      greys.set(grey, `${greys.get(grey) ?? ""}M${i % side} ${Math.floor(i / side)}h1v1h-1z`);
    });
    drawn.set(picture, [...greys]);
  }
  const transform = `translate(${x.toFixed(1)} ${y}) scale(${size / side})`;
  drawn.get(picture).forEach(([grey, d], i) => pen.put("path", `${key} grey ${i}`, { d, transform, fill: mix(PAPER, INK, grey / 100), "shape-rendering": "crispEdges" }));
  pen.rect(`${key} frame`, x, y, size, size, { fill: "none", stroke: pen.colors.muted });
};

// A cross on each pixel that is not as in the stored picture.
const crosses = (pen, x, y, picture, stored) => {
  const [side, marks] = [Math.sqrt(picture.length), ["", ""]];
  picture.forEach((v, i) => {
    if (v >= 0 === stored[i] >= 0) return;
    const [left, top] = [x + (i % side) * CELL + 12, y + Math.floor(i / side) * CELL + 12];
    marks[v > 0 ? 0 : 1] += `M${left} ${top}l9 9m0 -9l-9 9`;
  });
  marks.forEach((d, i) => pen.put("path", `cross ${i}`, { d, stroke: [PAPER, INK][i], "stroke-width": 2, fill: "none", "pointer-events": "none" }));
  const wrong = differs(picture, stored);
  return wrong ? `× ${plural(wrong, "pixel")} not as in` : "all pixels as in";
};

// Small pictures in a row, to choose one of: walked by arrow keys, pressed by Enter.
const row = (pen, key, items, choose) => {
  const each = Math.min(48, 294 / items.length);
  items.forEach(({ picture, above, below, name, chosen }, j) => {
    const [x, size] = [6 + j * each, each - 8];
    if (picture) thumbnail(pen, `${key} picture ${j}`, x, 22, size, picture);
    else pen.rect(`${key} none ${j}`, x, 22, size, size, { fill: "none", stroke: pen.colors.muted, "stroke-dasharray": "3 3" });
    pen.text(`${key} above ${j}`, x + size / 2, 11, above, { anchor: "middle", "font-weight": chosen ? 700 : 400 });
    if (below) pen.text(`${key} below ${j}`, x + size / 2, 32 + size, below, { anchor: "middle", "font-size": 11 });
    const pick = () => {
      pen.explorer.remember();
      choose(j);
    };
    pen.rect(
      `${key} 0 ${j}`, x - 3, 19, size + 6, size + 6,
      {
        fill: "transparent", stroke: chosen ? pen.colors.accent : "none", "stroke-width": 3, rx: 4, role: "button", class: "cell",
        tabindex: (pen.explorer.tabbed[key] ?? "0 0") === `0 ${j}` ? 0 : -1, "aria-pressed": String(chosen), "aria-label": name,
      },
      { on: { click: pick, keydown: (event) => pen.explorer.walk(pen, key, 0, j, event, pick) } },
    );
  });
};

export default {
  name: "recall",
  title: "a picture, and what a memory recalls",
  advice: "paint pixels of the picture handed in, or start from another letter. Lower beta until the letters blend. Then flip more and more pixels.",
  start: (data) => ({ memory: 0, share: data.noise, beta: data.beta, steps: 1, picture: spoil(data, 0, data.noise) }),

  // Of an update that is on its way (2.4 updates) the state is on the straight line to the next; the energy falls there, too.
  numbers({ patterns }, { picture, beta, steps }) {
    const [states, energies] = [[picture], []];
    const constants = Math.log(patterns.length) / beta + Math.max(...patterns.map((p) => dot(p, p))) / 2;
    let scores;
    for (let left = steps; ; left -= 1) {
      const state = states[states.length - 1];
      scores = patterns.map((p) => dot(p, state));
      energies.push(energy(beta, scores, dot(state, state)) + constants);
      if (left <= 0) break;
      const weights = softmax(scores.map((s) => beta * s));
      const next = picture.map((_, i) => sum(patterns.map((p, j) => weights[j] * p[i])));
      states.push(left < 1 ? between(state, next, left) : next);
    }
    // The two memories most like what was handed in, and the way from one to the other.
    const first = patterns.map((p) => dot(p, picture));
    const pair = range(patterns.length).sort((a, b) => first[b] - first[a] || a - b).slice(0, 2).sort((a, b) => a - b);
    const [from, to] = pair.map((j) => patterns[j]);
    const way = to.map((x, i) => x - from[i]);
    const [length, along] = [dot(way, way), patterns.map((p) => dot(p, way))];
    const places = states.map((state) => (dot(state, way) - dot(from, way)) / length);
    // The energy on the straight line through a state that runs as the way does.
    const slice = (k) => {
      const [state, own] = [states[k], patterns.map((p) => dot(p, states[k]))];
      const [squared, across] = [dot(state, state), dot(state, way)];
      return SLICE.map((x) => {
        const t = x - places[k];
        return energy(beta, own.map((s, j) => s + t * along[j]), squared + 2 * t * across + t * t * length) + constants;
      });
    };
    return { states, energies, weights: softmax(scores.map((s) => beta * s)), pair, places, first: slice(0), slice: slice(states.length - 1) };
  },

  sentence({ patterns, labels }, { memory, beta, steps, picture }, { states, energies, weights }) {
    const loudest = memory < 0 ? weights.indexOf(Math.max(...weights)) : memory;
    const [all, wrong] = [picture.length, differs(states[states.length - 1], patterns[loudest])];
    const right = wrong ? `${all - wrong} of ${all} pixels` : `all ${all} pixels`;
    const made = Number.isInteger(steps) ? plural(steps, "update") : `${steps.toFixed(1)} updates`;
    const begin =
      memory < 0
        ? `Painted: ${picture.filter((x) => x > 0).length} of ${all} pixels are ink`
        : `Stored: ${labels[memory]}. ${differs(picture, patterns[memory])} of ${all} pixels flipped`;
    const end = memory < 0 ? `${right} as in ${labels[loudest]}` : `${right} right`;
    const listed = labels.map((label, j) => `${label} ${number(weights[j])}`).join(", ");
    return `${begin}, beta ${short(beta, 3)}, ${made}: ${end}. Weights: ${listed}. Energy: ${energies.map((e) => number(e)).join(", then ")}.`;
  },

  panels({ labels }) {
    const height = Math.max(384, 250 + 24 * labels.length);
    return [
      { name: "picture", title: "Handed in: paint it", width: 300, height },
      { name: "states", title: "What the memory makes of it", width: 300, height },
      { name: "memory", title: "How loud each memory is", width: 306, height },
    ];
  },

  controls: (data) => [
    { kind: "range", name: "beta", label: "beta", min: 0.01, max: 10, log: true, snap: (beta) => Number(beta.toPrecision(2)) },
    {
      kind: "range", name: "share", label: "share of flipped pixels", min: 0, max: 0.5, step: 0.02,
      change: (share, { memory }) => ({ share, picture: spoil(data, memory, share) }),
    },
    { kind: "button", label: "One update", act: ({ steps }) => ({ steps: Math.floor(steps) + 1 }), disabled: ({ steps }) => steps >= MOST },
    {
      kind: "play", label: "Roll downhill", seconds: 6,
      at: (share, { steps }) => {
        const from = steps >= MOST ? 0 : steps;
        const now = from + share * (MOST - from);
        const [whole, rest] = [Math.floor(now), now % 1];
        return { steps: whole + Math.min(1, 1.4 * rest) }; // a rest after each update
      },
    },
    {
      kind: "play", label: "Flip more and more", seconds: 8,
      at: (at, { memory }) => {
        const share = Math.round(at * 25) / 50;
        return { share, picture: spoil(data, memory, share) };
      },
    },
  ],

  draw(panel, pen, { data, state, numbers, before, colors, set }) {
    const { patterns, labels } = data;
    const side = Math.sqrt(patterns[0].length);
    const { memory, picture, share, steps } = state;
    const { states, energies, weights, pair, places } = numbers;
    const [ends, last] = [states.length - 1, states[states.length - 1]];
    const like = memory < 0 ? weights.indexOf(Math.max(...weights)) : memory;
    const left = (300 - side * CELL) / 2;
    if (panel === "picture") {
      const empty = { picture: picture.map(() => -1), above: "none", name: "an empty page", chosen: memory < 0 };
      const letters = labels.map((label, j) => ({ picture: patterns[j], above: label, name: `the stored ${label}, spoilt`, chosen: memory === j }));
      row(pen, "letters", [empty, ...letters], (j) => set(j ? { memory: j - 1, picture: spoil(data, j - 1, share) } : { memory: -1, picture: empty.picture }));
      const isOn = (i, j) => pen.explorer.state.picture[i * side + j] > 0;
      const paint = (i, j, on) => {
        const now = pen.explorer.state.picture; // more than one pixel may be crossed between two frames
        const ink = on ?? !isOn(i, j);
        set({ picture: now.map((v, at) => (at === i * side + j ? (ink ? 1 : -1) : v)) });
      };
      picture.forEach((v, at) => {
        const [i, j] = [Math.floor(at / side), at % side];
        pen.rect(
          `pixel ${i} ${j}`, left + j * CELL, 84 + i * CELL, CELL, CELL,
          {
            fill: v > 0 ? INK : PAPER, stroke: colors.muted, "stroke-width": 0.7, role: "button", class: "cell", style: "touch-action: none",
            tabindex: (pen.explorer.tabbed.pixel ?? "0 0") === `${i} ${j}` ? 0 : -1, "aria-pressed": String(v > 0), "aria-label": `row ${i + 1}, column ${j + 1}, ink`,
          },
          { on: { ...pen.explorer.painting("pixel", i, j, paint, isOn), keydown: (event) => pen.explorer.walk(pen, "pixel", i, j, event, paint) } },
        );
      });
      pen.text("legend", 150, 94 + side * CELL, `${crosses(pen, left, 84, picture, patterns[like])} the stored ${labels[like]}`, { anchor: "middle" });
    } else if (panel === "states") {
      const strip = range(MOST + 1).map((k) => {
        const there = k <= steps;
        return { picture: there ? states[k] : null, above: `${k}`, below: there ? number(energies[k], 1) : "", name: `after ${plural(k, "update")}${there ? `, energy ${number(energies[k], 1)}` : ""}`, chosen: k === steps };
      });
      row(pen, "steps", strip, (k) => set({ steps: k }));
      thumbnail(pen, "state", left, 84, side * CELL, last);
      pen.text("legend", 150, 94 + side * CELL, `${crosses(pen, left, 84, last, patterns[like])} the stored ${labels[like]}`, { anchor: "middle" });
    } else {
      pen.text("weights", 12, 12, "weights = softmax(beta · scores)", { fill: colors.weightsInk });
      bars(pen, "weight", { y: 26, labels, values: weights, shadows: before?.numbers.weights, color: colors.weights, step: 24, room: 44 });
      // The landscape: a ball on the energy along a straight line, and how it came there.
      const [top, bottom, x0, x1] = [62 + 24 * labels.length, pen.height - 44, 40, pen.width - 10];
      const most = Math.max(...numbers.first, energies[0]);
      const step = [1, 2, 5, 10, 20, 50, 100, 200].find((s) => most / s <= 5) ?? 500;
      const least = Math.min(0, ...numbers.first);
      const X = (x) => x0 + ((x - SLICE[0]) / (SLICE[SLICE.length - 1] - SLICE[0])) * (x1 - x0);
      const Y = (e) => bottom - ((e - least) / (most - least || 1)) * (bottom - top);
      pen.text("energy", 12, top - 22, "energy, from memory to memory", { fill: colors.scoresInk, "font-weight": 600 });
      for (let e = 0; e <= most; e += step) {
        pen.line(`grid ${e}`, x0, Y(e), x1, Y(e), { stroke: colors.faint, "stroke-width": 0.8 });
        pen.text(`tick ${e}`, x0 - 6, Y(e), short(e), { anchor: "end", "font-size": 11, fill: colors.muted });
      }
      pair.forEach((j, i) => {
        pen.line(`memory ${i}`, X(i), top, X(i), bottom, { stroke: colors.muted, "stroke-dasharray": "2 3", "stroke-width": 1 });
        thumbnail(pen, `memory ${i}`, X(i) - 11, bottom + 8, 22, patterns[j]);
        pen.text(`memory name ${i}`, X(i) + 18, bottom + 19, labels[j], { "font-weight": 700 });
      });
      const curve = (key, energies, more) => pen.path(key, SLICE.map((x, i) => [X(x), Y(energies[i])]), more);
      if (steps) curve("first", numbers.first, { stroke: colors.shadow, "stroke-dasharray": "5 4" });
      curve("slice", numbers.slice, { stroke: colors.scores, "stroke-width": 2.5 });
      const trail = states.map((_, k) => [X(places[k]), Y(energies[k])]);
      if (before && before.state.steps === steps && before.numbers.pair.join() === pair.join())
        pen.circle("shadow", X(before.numbers.places[ends]), clip(Y(before.numbers.energies[ends]), top, bottom), 8, { fill: "none", stroke: colors.shadow, "stroke-dasharray": "3 2", "stroke-width": 2 });
      pen.path("trail", trail, { stroke: colors.query, "stroke-width": 2 });
      trail.slice(0, -1).forEach(([x, y], k) => pen.circle(`was ${k}`, x, y, 4, { fill: colors.paper, stroke: colors.query, "stroke-width": 2 }));
      const [x, y] = trail[ends];
      const away = ends && trail[ends - 1][0] > x ? -1 : 1; // from where it came
      pen.circle("ball", x, y, 8, { fill: colors.query, stroke: colors.queryInk }, { front: true });
      pen.text("ball says", x + 14 * away, y - 8, number(energies[ends], 1), { anchor: away < 0 ? "end" : "start", fill: colors.queryInk, "font-weight": 700, halo: true });
    }
  },
};
