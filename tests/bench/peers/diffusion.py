#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""feature.diffusion beside SciPy's direct solvers (SuperLU) on the same linear system: 50 curves of
three points over noise. The system is built here from the node's rasters alpha, beta and gamma and
from the curves; only solving it is timed, while the node's time holds its own rasters too. Then
thalweg alone: growth with cells. The factors of 1024 squared take a minute and some gigabytes."""
import peers

CURVES, PLATEAU, SLOPE, ENVELOPE = 50, 0.01, 0.03, 0.1

RECIPE = """thalweg: 1
size: {size}
seed: 1
nodes:
  given: {{type: noise.perlin}}
  curves:
    type: feature.curve
    points:
{points}
  land: {{type: feature.diffusion, in: given, curves: curves}}
outputs: {{given: given, result: land, alpha: land.alpha, beta: land.beta, gamma: land.gamma}}
export:
  given.npy: given
  result.npy: result
  alpha.npy: alpha
  beta.npy: beta
  gamma.npy: gamma
"""


def make_curves():
    """Rows (curve, x, y, z, angle) of three points a curve, as numbers of a recipe."""
    draw, rows = np.random.default_rng(1), []
    for curve in range(CURVES):
        at, way, angle = draw.random(2), draw.uniform(0, 2 * np.pi), draw.uniform(-60, -20)
        for _ in range(3):
            rows.append([curve, *at, draw.uniform(0.2, 1), angle])
            way += draw.uniform(-0.7, 0.7)
            at = at + 0.12 * np.array([np.cos(way), np.sin(way)])
    return np.array(rows, dtype=np.float32).astype(np.float64)


def recipe_of(size):
    points = "\n".join(
        f"      - {{curve: {curve:.0f}, x: {x:.9g}, y: {y:.9g}, z: {z:.9g}, plateau: {PLATEAU}, "
        f"slope_left: {SLOPE}, slope_right: {SLOPE}, angle_left: {angle:.9g}, angle_right: "
        f"{angle:.9g}, envelope_left: {ENVELOPE}, envelope_right: {ENVELOPE}}}"
        for curve, x, y, z, angle in curves)
    return thalweg.write(f"land-{size}.yaml", RECIPE.format(size=size, points=points))


def foot(c, cells):
    """The nearest place of the quadratic c[0] + c[1] t + c[2] t^2, t in 0..1, to every cell: from
    the nearest of 200 samples by Newton's method. Gives t, the distance and the vector from it."""
    samples = np.linspace(0, 1, 200)
    at = c[0] + samples[:, None] * (c[1] + samples[:, None] * c[2])
    t = samples[spatial.cKDTree(at).query(cells)[1]]
    for _ in range(5):
        away = c[0] + t[:, None] * (c[1] + t[:, None] * c[2]) - cells
        tangent = c[1] + 2 * t[:, None] * c[2]
        steep = (tangent ** 2).sum(1) + (away * 2 * c[2]).sum(1)
        t = np.clip(t - (away * tangent).sum(1) / np.where(steep > 0, steep, np.inf), 0, 1)
    away = cells - (c[0] + t[:, None] * (c[1] + t[:, None] * c[2]))
    past = ((t == 0) | (t == 1)) & (abs((away * (c[1] + 2 * t[:, None] * c[2])).sum(1)) > 1e-6)
    return t, np.hypot(*away.T), away, past


class Constraints:
    """E of plateaus, G and the normal of slopes, by cell, of the nearest curve; past the ends of a
    curve there is neither."""

    def __init__(self, size, alpha, beta):
        self.size = size
        self.plateau, self.slope = alpha > 0, beta > 0
        self.distance = np.full((size, size), np.inf)
        self.height, self.rise = np.zeros((2, size, size))
        self.normal = np.zeros((size, size, 2))
        for curve in range(CURVES):
            rows = curves[curves[:, 0] == curve]
            points = rows[:, 1:3] * size - 0.5
            bend = (points[2] - 2 * points[1] + points[0]) / 2
            chords = np.diff(points, axis=0)
            self.add(np.array([points[0], chords[0] - bend, bend]), rows[:2, 3], rows[0, 4], 0)
            self.add(np.array([points[1], chords[1] - bend, bend]), rows[1:, 3], rows[0, 4], 1)
        missed = (self.plateau | self.slope) & np.isinf(self.distance)
        if missed.any():
            raise SystemExit(f"{missed.sum()} cells of plateaus and slopes are near no curve")

    def add(self, c, z, angle, half):
        """Half a curve: `half` says which of its ends is the curve's."""
        reach = (PLATEAU + SLOPE) * self.size + 1e-3
        ends = np.array([c[0], c[0] + c[1] / 2 + c[2] / 4, c[0] + c[1] + c[2]])
        low = np.clip(ends.min(0) - reach - 9, 0, self.size).astype(int)
        high = np.clip(ends.max(0) + reach + 9, 0, self.size).astype(int)
        box = np.s_[low[1]:high[1], low[0]:high[0]]
        y, x = np.nonzero(self.plateau[box] | self.slope[box])
        y, x = y + low[1], x + low[0]
        if len(x) == 0:
            return
        t, distance, away, past = foot(c, np.stack([x, y], 1).astype(float))
        inside = np.where(self.plateau[y, x], distance <= PLATEAU * self.size + 1e-3,
                          (distance <= reach) & (distance > PLATEAU * self.size - 1e-3))
        better = inside & ~(past & (t == half)) & (distance < self.distance[y, x])
        y, x, t, distance, away = (part[better] for part in [y, x, t, distance, away])
        normal = away / np.maximum(distance, 1e-12)[:, None]
        self.distance[y, x] = distance
        self.height[y, x] = z[0] + (z[1] - z[0]) * t
        self.normal[y, x] = normal
        self.rise[y, x] = np.tan(np.radians(angle)) * (abs(normal) ** 3).sum(1) / self.size


def system_of(size, raster):
    """The equations of the cells with gamma 1: the others keep their height. The matrix, the right
    side and the unknown cells."""
    alpha, beta, before = (raster[name].astype(float) for name in ["alpha", "beta", "given"])
    unknown = raster["gamma"] > 0
    if not (raster["gamma"][unknown] == 1).all():
        raise SystemExit("gamma must be 0 or 1")
    ask = Constraints(size, alpha, beta)
    number = np.cumsum(unknown).reshape(unknown.shape) - 1
    smooth, diagonal = 0.25 * (1 - alpha - beta), alpha.copy()
    right = alpha * ask.height + beta * ask.rise
    rows, columns, weights = [], [], []
    for across, down in [(-1, 0), (1, 0), (0, -1), (0, 1)]:
        n = ask.normal[:, :, 0 if across else 1] * -(across + down)
        weight = smooth + beta * np.where(n > 0, n ** 2, 0)
        here = np.s_[max(0, -down): size - max(0, down), max(0, -across): size - max(0, across)]
        there = np.s_[max(0, down): size + min(0, down), max(0, across): size + min(0, across)]
        diagonal[here] += weight[here]
        right[here] += np.where(unknown[there], 0, weight[here] * before[there])
        both = unknown[here] & unknown[there]
        rows.append(number[here][both])
        columns.append(number[there][both])
        weights.append(-weight[here][both])
    rows.append(number[unknown])
    columns.append(number[unknown])
    weights.append(diagonal[unknown])
    entries = (np.concatenate(weights), (np.concatenate(rows), np.concatenate(columns)))
    return sparse.csc_matrix(entries), right[unknown], unknown


def symmetric(matrix, right):
    """SuperLU told that the pattern is symmetric and the diagonal dominant, which suits it best."""
    factors = linalg.splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0,
                          options={"SymmetricMode": True})
    return factors.solve(right)


def beside_peers(size):
    recipe, found = recipe_of(size), {}
    raster = {"given": thalweg.array(recipe, "given.npy")}
    for name in ["alpha", "beta", "gamma", "result"]:
        raster[name] = np.load(thalweg.folder / "out" / f"{name}.npy")
    matrix, right, unknown = system_of(size, raster)
    contenders = [
        thalweg.contender("land", recipe),
        peers.peer("SciPy splu, symmetric mode", lambda: symmetric(matrix, right), found),
        peers.peer("SciPy spsolve", lambda: linalg.spsolve(matrix, right, use_umfpack=False),
                   found),
    ]
    rows = peers.compare(size, contenders, options.repeats)
    agreement = []
    for name, solution in found.items():
        land = raster["given"].astype(float)
        land[unknown] = solution
        agreement.append({"peer": name, "size": size, "relative_to": "of the range of heights",
                          "unknowns": int(unknown.sum()),
                          "difference": float(abs(land - raster["result"]).max() / np.ptp(land))})
    return rows, agreement


options = peers.read_options(__doc__)
np, scipy, sparse, linalg, spatial = peers.need(
    "numpy", "scipy", "scipy.sparse", "scipy.sparse.linalg", "scipy.spatial")
thalweg = peers.Thalweg(options)
curves = make_curves()
table, compared = [], []
for side in options.size:
    beside = beside_peers(side)
    table += beside[0]
    compared += beside[1]
peers.show(peers.document(
    "diffusion", options, [np, scipy], rows=table, agreement=compared,
    growth=peers.grow(thalweg, "land", [(f"{side}", side * side, recipe_of(side))
                                        for side in options.growth], options.repeats)), options)
