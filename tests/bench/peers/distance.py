#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""One field of least costs, C_a of feature.distance, beside scikit-image's MCP_Geometric and SciPy's
csgraph.dijkstra on the same weights: edges cost the mean of their two cells, diagonals sqrt(2)
times that. The graph of csgraph is built before the clock starts, the weights of the two others
are read by them. Then thalweg alone: growth with cells, and with the number of features."""
import peers

LOW, HIGH = 0.5, 2.5  # of the weights

# A sea so far below that it cuts nothing, and features that end at once: what is left is C_a.
FIELD = """thalweg: 1
size: {size}
seed: 1
nodes:
  given: {{type: source.image, file: weights-{size}.npy}}
  peak:  {{type: feature.points, points: [{{x: 0.5, y: 0.5, cost: 1}}]}}
  field:
    type: feature.distance
    generators: peak
    weights: given
    weight_range: [{low}, {high}]
    metric: octile
    sea_level: 1000000
    stop: 1000000
outputs: {{given: given, result: field.cost}}
export: {{cost.npy: result}}
"""

# A field a feature, blended; `whole` says whether the features count or only C_a.
FEATURES = """thalweg: 1
size: {size}
seed: 1
nodes:
  given: {{type: feature.points, count: {count}, cost: [5, 30]}}
  field:
    type: feature.distance
    generators: given
    mean_weight: 1
    deviation: 0.5
    sea_level: {sea}
    stop: {stop}
outputs: {{given: given, result: field}}
"""


def brightness(size):
    return np.random.default_rng(size).random((size, size), dtype=np.float32)


def graph_of(cost):
    """Edges to the four neighbours after a cell, and back."""
    height, width = cost.shape
    cells = np.arange(cost.size).reshape(cost.shape)
    ends, starts, weights = [], [], []
    for across, down in [(1, 0), (1, 1), (0, 1), (-1, 1)]:
        here = np.s_[: height - down, max(0, -across): width - max(0, across)]
        there = np.s_[down:, max(0, across): width + min(0, across)]
        length = np.float32(2 ** 0.5 if across and down else 1)
        weight = np.float32(0.5) * (cost[here] + cost[there]) * length
        starts += [cells[here].ravel(), cells[there].ravel()]
        ends += [cells[there].ravel(), cells[here].ravel()]
        weights += [weight.ravel(), weight.ravel()]
    edges = (np.concatenate(weights), (np.concatenate(starts), np.concatenate(ends)))
    return sparse.csr_matrix(edges, shape=(cost.size, cost.size), dtype=np.float64)


def field_recipe(size):
    np.save(thalweg.folder / f"weights-{size}.npy", brightness(size))
    return thalweg.write(f"field-{size}.yaml", FIELD.format(size=size, low=LOW, high=HIGH))


def beside_peers(size):
    """The rows of one size, and how far the fields are apart."""
    recipe, found = field_recipe(size), {}
    cost = np.float32(LOW) + np.float32(HIGH - LOW) * brightness(size)
    graph, middle = graph_of(cost), size // 2
    contenders = [
        thalweg.contender("field", recipe),
        peers.peer("scikit-image MCP_Geometric", lambda: skimage_graph.MCP_Geometric(
            cost).find_costs([(middle, middle)])[0], found),
        peers.peer("SciPy csgraph.dijkstra", lambda: csgraph.dijkstra(
            graph, indices=middle * size + middle).reshape(size, size), found),
    ]
    rows = peers.compare(size, contenders, options.repeats)
    ours = thalweg.array(recipe, "cost.npy") - 1.0
    return rows, [{"peer": name, "size": size, "relative_to": "of the greatest cost",
                   "difference": float(abs(ours - field).max() / field.max())}
                  for name, field in found.items()]


def features(count, size, whole):
    sea, stop = (1.5, 0.5) if whole else (30000, 1000000)
    name = thalweg.write(f"features-{count}-{whole}.yaml", FEATURES.format(
        size=size, count=count, sea=sea, stop=stop))
    return (f"{count}", size * size, name)


def growth():
    recipes = [(f"{size}", size * size, field_recipe(size)) for size in options.growth]
    return peers.grow(thalweg, "field", recipes, options.repeats)


def growth_with_features():
    rows, size = [], options.size[-1]
    for whole in [False, True]:
        recipes = [features(count, size, whole) for count in [32, 512]]
        for row in peers.grow(thalweg, "field", recipes, options.repeats):
            name = "all features, blended" if whole else "C_a alone"
            rows.append({**row, "name": f"{name}, {size} squared"})
    return rows


options = peers.read_options(__doc__)
np, scipy, sparse, csgraph, skimage, skimage_graph = peers.need(
    "numpy", "scipy", "scipy.sparse", "scipy.sparse.csgraph", "skimage", "skimage.graph")
thalweg = peers.Thalweg(options)
table, agreement = [], []
for side in options.size:
    beside = beside_peers(side)
    table += beside[0]
    agreement += beside[1]
peers.show(peers.document("distance", options, [np, scipy, skimage], rows=table,
                          agreement=agreement, growth=growth(),
                          features=growth_with_features() if options.growth else []), options)
