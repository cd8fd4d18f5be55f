// Queries and keys taken hold of as wholes: what turning and stretching a projection does to scores and weights.
import { clip, matmul, matrix, norm, number, plane, range, scoreColor, softmax, textOn, transpose, was, weightColor } from "./core.js";

const MOST = 3; // as far as a projection is stretched
// At the start each query lies on its key: they are held beside their tip, on either side of it.
const SIDE = { query: -12, key: 12 };

const wrap = (degrees) => degrees - 360 * Math.ceil((degrees - 180) / 360); // above -180, up to 180
const turned = (W, degrees, stretch) => {
  const [c, s] = [Math.cos, Math.sin].map((of) => of((degrees * Math.PI) / 180));
  return matmul(W, [[c, s], [-s, c]]).map((row) => row.map((x) => x * stretch));
};
const largest = (row) => row.indexOf(Math.max(...row));
// What the state and the data call the parts of the two.
const parts = (all, x) => ({ letter: x, all, angle: `angle_${x}`, stretch: `stretch_${x}`, W: `W_${x}`, vectors: x.toUpperCase() });
const PARTS = { query: parts("queries", "q"), key: parts("keys", "k") };

// Turning one of the two to an angle; the other one by as much, if they go together.
function turnTo(name, value, state) {
  const other = name === "angle_q" ? "angle_k" : "angle_q";
  return { [name]: wrap(value), ...(state.along ? { [other]: wrap(state[other] + value - state[name]) } : {}) };
}

// Half the width of the plane: it shows as much as the longest vectors need.
const reachOf = ({ longest }, state) => 1.08 * Math.max(1.5, state.stretch_q, state.stretch_k) * longest;

export default {
  name: "projections",
  title: "what turning a projection does to the scores",
  advice: "take a query by its disc and turn all queries; then let the keys turn along. When does a score change, and when are the scores symmetric?",
  start: ({ tokens: { length: n } }) => ({ angle_q: 0, angle_k: 0, stretch_q: 1, stretch_k: 1, along: false, pair: [Math.max(n - 2, 0), n - 1] }),

  numbers(data, { angle_q, angle_k, stretch_q, stretch_k }) {
    const [W_q, W_k] = [turned(data.W_q, angle_q, stretch_q), turned(data.W_k, angle_k, stretch_k)];
    const [Q, K] = [matmul(data.X, W_q), matmul(data.X, W_k)];
    const scores = matmul(Q, transpose(K)).map((row) => row.map((s) => s / Math.SQRT2));
    const gaps = scores.flatMap((row, i) => row.map((s, j) => (j > i ? Math.abs(s - scores[j][i]) : 0)));
    const widest = Math.max(...gaps);
    const [apart, n] = [gaps.indexOf(widest), scores.length];
    return {
      W_q, W_k, Q, K, scores, wishes: matmul(W_q, transpose(W_k)), weights: scores.map(softmax),
      symmetric: widest < 1e-9, apart: [Math.floor(apart / n), apart % n],
    };
  },

  sentence({ tokens }, { angle_q, angle_k, stretch_q, stretch_k }, { scores, weights, symmetric, apart: [i, j] }) {
    const moves = `Queries turned by ${number(angle_q, 0)} degrees and stretched by ${number(stretch_q)}, keys turned by ${number(angle_k, 0)} degrees and stretched by ${number(stretch_k)}`;
    const rows = tokens.map((token, n) => `${token}: ${scores[n].map((s) => number(s)).join(", ")}`).join("; ");
    const alike = (row) => Math.max(...row) - Math.min(...row) < 1e-9;
    const most = (row) => (alike(row) ? `attends to all alike, ${number(row[0])}` : `attends most to ${tokens[largest(row)]}, ${number(Math.max(...row))}`);
    const shares = tokens.map((token, n) => `${token} ${most(weights[n])}`).join("; ");
    const mutual = symmetric
      ? "The scores are symmetric."
      : `The scores are not symmetric: ${tokens[i]} gives ${tokens[j]} ${number(scores[i][j])}, ${tokens[j]} gives ${tokens[i]} ${number(scores[j][i])}.`;
    return `${moves}. Scores: ${rows}. ${shares}. ${mutual}`;
  },

  panels: ({ tokens, W_q }) => [
    { name: "plane", title: "What each token asks and offers", width: 310, height: 334 },
    { name: "projections", title: "The projections", width: 260, height: 100 + 88 * W_q.length },
    { name: "scores", title: "Scores and weights", width: 310, height: 108 + 84 * tokens.length },
  ],
  controls: () => [
    ...Object.values(PARTS).flatMap(({ all, angle, stretch }) => [
      {
        kind: "range", name: angle, label: `turn ${all}`, min: -180, max: 180, step: 5, show: (x) => `${number(x, 0)}°`,
        change: (value, state) => turnTo(angle, value, state),
      },
      { kind: "range", name: stretch, label: `stretch ${all}`, min: 0, max: MOST, step: 0.1, show: (x) => number(x) },
    ]),
    { kind: "toggle", name: "along", label: "turn both together" },
    {
      kind: "play", name: "round", label: "Turn both half round", seconds: 5,
      at: (share, first) => ({ angle_q: wrap(first.angle_q + 180 * share), angle_k: wrap(first.angle_k + 180 * share) }),
    },
  ],

  draw(panel, pen, scene) {
    ({ plane: drawPlane, projections: drawProjections, scores: drawScores })[panel](pen, scene);
  },
};

function drawPlane(pen, { data, state, numbers, before, colors, set }) {
  const { tokens } = data;
  const reach = reachOf(data, state);
  const at = plane(pen, { y: 8, height: 296, low: [-reach, -reach], high: [reach, reach] });
  // Keys first: a query lies on a key that equals it.
  const each = (act) => ["key", "query"].forEach((role) => numbers[PARTS[role].vectors].forEach((v, n) => act(v, n, role, PARTS[role])));
  each((v, n, role, { vectors }) => {
    const old = before?.numbers[vectors][n] ?? v;
    if (norm([old[0] - v[0], old[1] - v[1]]) > 1e-9)
      pen.arrow(`shadow ${role} ${n}`, at.x(0), at.y(0), at.x(old[0]), at.y(old[1]), colors.shadow, { width: 1.3, "stroke-dasharray": "4 3" });
  });
  each((v, n, role) => {
    const [width, size, place] = role === "key" ? [4, 13, 1] : [1.6, 9, 0];
    pen.arrow(`${role} ${n}`, at.x(0), at.y(0), at.x(v[0]), at.y(v[1]), colors[role], { width: width + (n === state.pair[place] ? 1.4 : 0), size });
  });
  const taken = []; // by handles and names: left, top, right, bottom
  each((v, n, role) => {
    const [x, y] = [at.x(v[0]) + SIDE[role], at.y(v[1]) + SIDE[role]];
    taken.push([x - 8, y - 8, x + 8, y + 8]);
  });
  each((v, n, role, { letter, all, angle, stretch, W }) => {
    const base = matmul([data.X[n]], data[W])[0];
    const length = norm(base);
    if (!length) return; // nothing to take hold of: it stays at the origin however it is turned
    const [side, ink] = [SIDE[role], colors[role + "Ink"]];
    const [x, y] = [at.x(v[0]) + side, at.y(v[1]) + side];
    const to = (degrees, factor) => set({ ...turnTo(angle, degrees, state), [stretch]: clip(factor, 0, MOST) });
    pen.line(`${role} tie ${n}`, at.x(v[0]), at.y(v[1]), x, y, { stroke: ink, "stroke-width": 1 });
    pen.handle(`hold ${role} ${n}`, x, y, {
      label: `${all}, held by ${tokens[n]}`, role, size: 5.5, now: state[angle],
      value: `turned by ${number(state[angle], 0)} degrees, stretched by ${number(state[stretch])}`,
      move(px, py) {
        // The plane may widen meanwhile: how far the pointer is, is measured by its width when the drag began.
        const began = pen.explorer.before?.state ?? state;
        const [dx, dy] = at.back(px - side, py - side).map((c) => (c * reachOf(data, began)) / reach);
        const far = Math.hypot(dx, dy);
        const degrees = far > 0.02 * length ? ((Math.atan2(dy, dx) - Math.atan2(base[1], base[0])) * 180) / Math.PI : state[angle];
        // Who only turns need not keep the distance to a hair; and who turns both, turns and nothing else.
        const factor = Math.round((20 * far) / length) / 20;
        const same = state.along || Math.abs(factor - began[stretch]) < 0.13;
        to(Math.round(degrees), same ? began[stretch] : factor);
      },
      step: (dx, dy) => to(5 * Math.round(state[angle] / 5) - 5 * dx, Math.round(10 * state[stretch] + dy) / 10),
    });
    const text = `${letter} ${tokens[n]}`;
    const spot = freeSpot(x, y, text.length * 7.5, role === "query" ? -1 : 1, taken, pen.width);
    taken.push(spot.box);
    pen.text(`${role} name ${n}`, x + 11 * spot.to, spot.y, text, { anchor: spot.to < 0 ? "end" : "start", fill: ink, halo: true, "pointer-events": "none" });
  });
}

// Beside a point, on the side that is wanted where that is free of what is there already.
function freeSpot(x, y, wide, wanted, taken, width) {
  const spots = [[1, 0], [-1, 0], [1, -15], [1, 15], [-1, -15], [-1, 15]].map(([side, down]) => {
    const to = wanted * side;
    const left = to < 0 ? x - 11 - wide : x + 11;
    return { to, y: y + down, box: [left, y + down - 7, left + wide, y + down + 7] };
  });
  const inside = spots.filter(({ box }) => box[0] > 2 && box[2] < width - 2);
  const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
  return inside.find(({ box }) => !taken.some((other) => meet(box, other))) ?? inside[0];
}

function drawProjections(pen, { numbers, before, colors }) {
  const wide = numbers.W_q.length;
  const cell = [62, 44];
  const names = (n) => range(n).map(() => "");
  const old = before?.numbers;
  const grid = (name, x, y, size) => {
    const values = numbers[name];
    const most = Math.max(1, ...values.flat().map(Math.abs));
    const color = (s) => scoreColor(colors, s, most);
    matrix(pen, name, { x, y, cell: size, values, rows: names(wide), columns: names(values[0].length), color });
    if (old) was(pen, name, { x, y, cell: size, values, before: old[name], color });
  };
  Object.entries(PARTS).forEach(([role, { W, all }], n) => {
    pen.marker(W, role, 10 + 132 * n, 14, 5.5);
    pen.text(`${W} name`, 22 + 132 * n, 14, `${W}: ${all}`, { fill: colors[role + "Ink"], "font-weight": 600 });
    grid(W, 4 + 132 * n, 28, cell);
  });
  const top = 28 + wide * cell[1] + 26;
  pen.text("product", 4, top, "W_q W_kᵀ, the table of wishes", { fill: colors.scoresInk, "font-weight": 600 });
  grid("wishes", 4, top + 14, [Math.min(72, 252 / wide), 44]);
  const [now, then] = [numbers, old ?? numbers].map(({ wishes }) => wishes.flat());
  const same = now.every((w, n) => Math.abs(w - then[n]) < 1e-9);
  if (old) pen.text("same", 4, top + 34 + wide * 44, `The product ${same ? "is what it was" : "has changed"}.`, { fill: colors.muted });
}

function drawScores(pen, { data, state, numbers, before, colors, glance }) {
  const { tokens } = data;
  const { scores, weights, symmetric } = numbers;
  const [i, j] = state.pair;
  const old = before?.numbers;
  const most = Math.max(...scores.flat().map(Math.abs), ...(old ? old.scores.flat().map(Math.abs) : []));
  const x = Math.max(...tokens.map((token) => token.length)) * 7.2 + 16;
  const cell = [Math.min(76, (pen.width - x - 4) / tokens.length), 42];
  const common = { x, cell, rows: tokens, outlined: (a, b) => a === i && b === j };
  const scoreOf = (s) => scoreColor(colors, s, most);
  const weightOf = (w) => weightColor(colors, w);
  pen.text("scores", 4, 8, "scores q · k / √2", { fill: colors.scoresInk, "font-weight": 600 });
  matrix(pen, "score", {
    ...common, y: 38, values: scores, columns: tokens, color: scoreOf, look: (a, b) => a !== null && glance({ pair: [a, b] }),
    name: (a, b) => `${tokens[a]} gives ${tokens[b]} ${number(scores[a][b])}, weight ${number(weights[a][b])}; ${tokens[b]} gives ${tokens[a]} ${number(scores[b][a])}`,
  });
  if (old) was(pen, "score", { ...common, y: 38, values: scores, before: old.scores, color: scoreOf });
  const [back, paint] = [scores[j][i], { fill: "none", "stroke-width": 1.5, "stroke-dasharray": "4 3", "pointer-events": "none" }];
  pen.rect("mirror", x + i * cell[0] + 1.5, 39.5 + j * cell[1], cell[0] - 5, cell[1] - 5, { ...paint, stroke: i === j ? "none" : textOn(scoreOf(back)) });
  const told = 38 + tokens.length * cell[1] + 10;
  pen.text("symmetric", 4, told, symmetric ? "Symmetric: what is given is given back." : "Not symmetric.", { "font-weight": 600 });
  const both = i === j ? "itself" : `${tokens[j]}, gets back ${number(back)}`;
  pen.text("two", 4, told + 19, `${tokens[i]} gives ${number(scores[i][j])} to ${both}`, { fill: colors.muted });
  pen.text("weights", 4, told + 44, "weights: softmax of each row", { fill: colors.weightsInk, "font-weight": 600 });
  matrix(pen, "weight", { ...common, y: told + 56, values: weights, columns: tokens.map(() => ""), color: weightOf });
  if (old) was(pen, "weight", { ...common, y: told + 56, values: weights, before: old.weights, color: weightOf });
}
