"""Kernels as bells, and the curve that they draw through points: attention as smoothing."""

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator

import attnlib
from attnlib.plots import style
from attnlib.plots.picture import Picture

CURVE_POINTS = 241
SHADES = 6  # of points by their weights


def gaussian_bells(bandwidths=(0.5, 1, 2), *, title=""):
    """Draw the Gaussian kernel against the distance, one bell for each bandwidth.

    Parameters
    ----------
    bandwidths : sequence of float
        Up to four.
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(gaussian_bells([1, 2]).alt)
    Gaussian kernels: 1 at distance 0, 0.61 at one bandwidth, 0.14 at two. Bandwidths 1, 2.
    """
    bandwidths = [float(h) for h in bandwidths]
    reach = 3 * max(bandwidths)
    distance = np.linspace(-reach, reach, 2 * CURVE_POINTS - 1)
    width, height = 6.6, 3.3 + (0.4 if title else 0)
    figure, area = style.sheet(width, height)
    axes = style.panel(figure, 0.75, 0.6, width - 1.0, 2.55)
    drawn = zip(bandwidths, ("-", "--", "-.", ":"), ("query", "key", "value", "context"), strict=False)
    for bandwidth, line, role_name in drawn:
        role = style.role(role_name)
        bell = attnlib.gaussian_kernel([[0.0]], distance[:, None], bandwidth)[0]
        axes.plot(distance, bell, line, color=role.color, linewidth=2.2, label=f"h = {bandwidth:g}")
        at = float(attnlib.gaussian_kernel([[0.0]], [[bandwidth]], bandwidth)[0, 0])
        axes.plot([bandwidth], [at], marker=role.marker, color=role.color, markeredgecolor=role.ink, markersize=8)
    axes.set(xlim=(-reach, reach), ylim=(0, 1.08))
    axes.set_xlabel("distance from the query", fontsize=style.TEXT, color=style.INK)
    axes.set_ylabel("kernel value", fontsize=style.TEXT, color=style.INK)
    axes.legend(fontsize=style.TEXT, frameon=False, loc="upper right")
    style.heading(area, width, height, title)
    one, two = attnlib.gaussian_kernel([[0.0]], [[1.0], [2.0]], 1.0)[0]
    listed = ", ".join(f"{h:g}" for h in bandwidths)
    shape = f"1 at distance 0, {one:.2f} at one bandwidth, {two:.2f} at two"
    return Picture(figure, f"Gaussian kernels: {shape}. Bandwidths {listed}.")


def _limits(axes, across, up, *, rows):
    """Set limits and ticks that lie inside them."""
    axes.set(xlim=across, ylim=up)
    for limits, count, place in ((across, 7, axes.set_xticks), (up, rows, axes.set_yticks)):
        ticks = MaxNLocator(count, steps=[1, 2, 5, 10]).tick_values(*limits)
        place(ticks[(ticks >= limits[0]) & (ticks <= limits[1])])


def _triangles(axes, x, y, shares, inch, role):
    """Draw points, larger and darker the larger their share; `inch` is one inch in units of x and of y.

    All points of a shade are one path: a picture with a path for each would be three times as large.
    """
    levels = np.minimum((SHADES * shares).astype(int), SHADES - 1)
    for level in np.unique(levels):
        share = level / (SHADES - 1)
        corners = np.array([[0, 1], [-1, -1], [1, -1], [0, 1]]) * inch * np.sqrt(18 + 260 * share) / 144
        paths = [Path(corners + point, closed=True) for point in np.stack([x, y], -1)[levels == level]]
        shade = style.weight_colors([0.15 + 0.85 * share])[0]
        axes.add_patch(
            PathPatch(Path.make_compound_path(*paths), facecolor=shade, edgecolor=role.color, linewidth=0.9, zorder=3)
        )


def kernel_regression(x, y, bandwidth, at, *, x_name="x", y_name="y"):
    """Draw points, the curve that Gaussian kernel regression puts through them, and the weights of one query.

    Parameters
    ----------
    x, y : ndarray of shape (n,)
        The keys and their values.
    bandwidth : float
    at : float
        The query: where on the x axis the weights are shown.
    x_name, y_name : str
        What the axes measure.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(kernel_regression([0, 1, 2], [10, 20, 60], 0.5, 1).alt)
    Bandwidth 0.5. At x = 1 the curve is at y = 23.2: an average of about 1.9 points, of which the one at \
x = 1 has the largest weight, 0.79.
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    keys, values = x[:, None], y[:, None]

    def kernel(Q, K):
        return attnlib.gaussian_kernel(Q, K, bandwidth)

    margin = 0.02 * (x.max() - x.min())
    left, right = min(x.min(), at) - margin, max(x.max(), at) + margin
    asked = np.linspace(left, right, CURVE_POINTS)
    curve = attnlib.kernel_attention(asked[:, None], keys, values, kernel)[:, 0]
    curve = np.where(kernel(asked[:, None], keys).any(axis=-1), curve, np.nan)  # nobody within reach: no curve
    weights = attnlib.kernel_attention([[at]], keys, np.eye(len(x)), kernel)[0]  # values that tell the weights
    answer = float(attnlib.kernel_attention([[at]], keys, values, kernel)[0, 0])
    found = weights.sum() > 0

    figure = style.blank(style.WIDTH, 4.9)
    query, value, mix = style.role("query"), style.role("value"), style.role("context")
    top = style.panel(
        figure, 0.85, 1.85, style.WIDTH - 1.1, 2.65, f"values and their smoothed curve, h = {bandwidth:.3g}"
    )
    top.plot(asked, curve, color=mix.color, linewidth=2.4, zorder=4)
    low, high = y.min(), y.max()
    span = right - left, 1.16 * (high - low)
    _triangles(top, x, y, weights / max(weights.max(), 1e-300), (span[0] / (style.WIDTH - 1.1), span[1] / 2.65), value)
    _limits(top, (left, right), (low - 0.08 * (high - low), high + 0.08 * (high - low)), rows=6)
    top.axvline(at, color=query.color, linestyle="--", linewidth=1.2, zorder=2)
    if found:
        top.plot(at, answer, marker=mix.marker, color=mix.color, markeredgecolor=mix.ink, markersize=17, zorder=5)
    top.set_ylabel(y_name, fontsize=style.TEXT, color=style.INK)
    top.tick_params(labelbottom=False)

    below = style.panel(figure, 0.85, 0.6, style.WIDTH - 1.1, 0.85, "weights of the query")
    tall = weights > 0.01 * weights.max()
    bars = np.stack([x, x, np.full(len(x), np.nan)])[:, tall], np.stack([0 * weights, weights, weights])[:, tall]
    below.plot(*(part.T.ravel() for part in bars), color=style.role("weights").color, linewidth=2.4)  # one path again
    bell = kernel([[at]], asked[:, None])[0] * (weights.max() / max(kernel([[at]], keys).max(), 1e-300))
    below.plot(asked, bell, color=style.role("key").color, linewidth=1.4)
    below.plot(at, 0, marker=query.marker, color=query.color, markeredgecolor=query.ink, clip_on=False, markersize=8)
    _limits(below, (left, right), (0, 1.15 * max(weights.max(), bell.max(), 1e-3)), rows=2)
    below.set_xlabel(x_name, fontsize=style.TEXT, color=style.INK)

    wide = f"{float(f'{bandwidth:.3g}'):g}"  # 9900, and not 9.9e+03
    if not found:
        return Picture(figure, f"Bandwidth {wide}. At {x_name} = {at:g} no point is within reach.")
    many = float(np.exp(attnlib.entropy(weights)))
    best = int(weights.argmax())
    return Picture(
        figure,
        f"Bandwidth {wide}. At {x_name} = {at:g} the curve is at {y_name} = {answer:.1f}: an average of about "
        f"{many:.1f} points, of which the one at {x_name} = {x[best]:g} has the largest weight, {weights[best]:.2g}.",
    )


def leave_one_out_curve(x, y, bandwidths, *, unit="", title=""):
    """Draw the typical error of kernel regression against the bandwidth, with each point left out and left in.

    Parameters
    ----------
    x, y : ndarray of shape (n,)
        The points; at least two.
    bandwidths : ndarray of shape (m,)
        Rising.
    unit : str
        Of the bandwidth.
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(leave_one_out_curve([0, 1, 2, 3], [0, 1, 2, 3], [0.1, 0.5, 9]).alt)
    Typical error against bandwidth. Left out: 0.71 at 0.1, least 0.71 at 0.1, 1.48 at 9. Left in: 0.00 at 0.1, \
1.10 at 9.
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    bandwidths = np.asarray(bandwidths, dtype=float)
    points, values, others = x[:, None], y[:, None], 1 - np.eye(len(x))
    errors = np.empty((2, len(bandwidths)))
    for i, h in enumerate(bandwidths):
        for j, who in enumerate((others, 1.0)):
            # The kernel is weighted by who may take part: all points, or all others.
            predicted = attnlib.kernel_attention(
                points, points, values, lambda Q, K, h=h, who=who: attnlib.gaussian_kernel(Q, K, h) * who
            )
            errors[j, i] = np.sqrt(((predicted - values) ** 2).mean())
    out, kept = errors
    best = int(out.argmin())
    width, height = 6.6, 3.3 + (0.4 if title else 0)
    figure, area = style.sheet(width, height)
    axes = style.panel(figure, 0.85, 0.6, width - 1.1, 2.55)
    mix = style.role("context")
    axes.plot(bandwidths, out, color=style.role("query").color, linewidth=2.2, label="each point left out")
    axes.plot(bandwidths, kept, "--", color=style.role("key").color, linewidth=2.2, label="each point left in")
    lowest = bandwidths[best], out[best]
    axes.plot(*lowest, marker=mix.marker, color=mix.color, markeredgecolor=mix.ink, markersize=16)
    axes.set_xscale("log")
    ticks = [t for t in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100) if bandwidths[0] <= t <= bandwidths[-1]]
    axes.set_xticks(ticks, [f"{t:g}" for t in ticks])
    axes.set_xticks([], minor=True)
    axes.set_ylim(0, 1.15 * errors.max())
    axes.set_xlabel(f"bandwidth h ({unit}, log scale)" if unit else "bandwidth h (log scale)", fontsize=style.TEXT)
    axes.set_ylabel("typical error", fontsize=style.TEXT, color=style.INK)
    axes.legend(fontsize=style.TEXT, frameon=False, loc="lower right")
    style.heading(area, width, height, title)
    (first, least, last), ends = (
        [f"{curve[i]:.{_decimals(errors)}f} at {bandwidths[i]:.3g}" for i in places]
        for curve, places in ((out, (0, best, -1)), (kept, (0, -1)))
    )
    against = f"Typical error against bandwidth{f' in {unit}' if unit else ''}"
    return Picture(figure, f"{against}. Left out: {first}, least {least}, {last}. Left in: {', '.join(ends)}.")


def _decimals(values):
    return 2 if values.max() < 10 else 1
