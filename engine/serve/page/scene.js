/* What the canvas shows: a ground, a layer over it, before and now. */
const scene = { ground: "", layer: "" };
const make_viewer = () => {
    const canvas = by("view");
    try {
        if (new URLSearchParams(location.search).has("flat")) throw new Error("asked for by the address");
        return new GroundGL(canvas);
    } catch (fault) {
        const other = canvas.cloneNode();
        canvas.replaceWith(other);
        by("orbit").disabled = true;
        by("orbit").title = `From above only: ${fault.message}`;
        press(by("orbit"), false);
        press(by("top"), true);
        return new GroundFlat(other);
    }
};
const viewer = make_viewer();
const aspect_of = (size) => size[0] / size[1];
/* A run may tell of a picture before the state is known. */
const on_map = (v) => v.size && known.state && abs(aspect_of(v.size) - aspect_of(known.state.size)) < 0.01;
const can_lie = (v) => ["mask", "labels", "heightmap"].includes(v.kind) || (v.kind === "image" && on_map(v));
const wanted = () => {
    const keys = [scene.ground, scene.layer].filter(Boolean);
    if (!has_variants()) return keys;
    return keys.flatMap((k) => ["a." + k, "b." + k]).filter((k) => known.views[k]);
};

const no_layer = { key: "", kind: "" };
const load_layer = async (view) => {
    const image = view.kind === "image",
        data = await (image ? load_bitmap(view) : load_grid(view)),
        [w, h] = image ? [data.width, data.height] : view.size,
        kind = view.kind === "heightmap" ? "mask" : view.kind,
        range = view.kind === "mask" ? [0, clamp(view.greatest, 1e-9, 1)] : [view.least, view.greatest];
    return { key: view.digest, kind, data, w, h, range };
};
/* False if another ground has been chosen, or computed, meanwhile. */
const load_slot = async (index, view_of) => {
    const ground = view_of(scene.ground),
        over = view_of(scene.layer),
        [heights, layer] = await Promise.all([load_grid(ground), over ? load_layer(over) : no_layer]);
    if (view_of(scene.ground)?.digest !== ground.digest) return false;
    viewer.set_ground(index, ground, heights);
    viewer.set_layer(index, layer);
    return true;
};
const tell_badge = (view) => {
    by("badge").textContent = view.draft ? "draft" : view.stale ? "of an earlier run" : "";
    by("badge").hidden = !by("badge").textContent;
};
const refresh_scene = async () => {
    const now = of_now(scene.ground),
        shown = viewer.canvas.dataset,
        other = shown.ground !== scene.ground;
    if (now) {
        if (!(await load_slot(0, of_now).catch(() => false))) return;
        by("empty").hidden = true;
        by("scale").hidden = false;
        tell_badge(now);
        Object.assign(shown, { ground: scene.ground, digest: now.digest, draft: String(Boolean(now.draft)) });
        if (other && !viewer.camera.own) viewer.home();
        set_contours();
    }
    if (!wiper.hidden) refresh_before();
};

/* ---- choices ---- */
const view_words = (key) => {
    const v = of_now(key);
    if (!v) return key; /* the server starts again and has told nothing yet */
    const node = v.node ? bare(v.node) : key,
        port = v.port && v.port !== "out" ? `.${v.port}` : "",
        name = v.names.find((n) => n !== node);
    return node + port + (name ? ` (${name})` : "");
};
const fill_choice = (select, keys, chosen, none) => {
    const options = keys.map((k) => new Option(view_words(k), k)),
        list = options.map((o) => o.value + o.text).join();
    if (none) options.unshift(new Option("none", ""));
    if (select.dataset.list !== list) select.replaceChildren(...options);
    select.dataset.list = list;
    select.value = chosen;
};
const show_choices = () => {
    const keys = [...new Set(Object.keys(known.views).map(bare))],
        grounds = keys.filter((k) => of_now(k).kind === "heightmap");
    if (!of_now(scene.ground))
        scene.ground = grounds.find((k) => of_now(k).names.length) || grounds[grounds.length - 1] || "";
    if (!of_now(scene.layer)) scene.layer = "";
    fill_choice(by("ground"), grounds, scene.ground);
    fill_choice(
        by("layer"),
        keys.filter((k) => k !== scene.ground && can_lie(of_now(k))),
        scene.layer,
        true,
    );
    by("water-label").hidden = typeof world()?.sea_level !== "number";
    by("wipe").textContent = has_variants() ? "A | B" : "Before | now";
    by("keep").hidden = has_variants();
};
const show_ground = (key) => {
    scene.ground = key;
    if (scene.layer === key) scene.layer = "";
    show_choices();
    refresh_scene();
    show_numbers();
};
/* Shows a value where it belongs: as ground, as a layer, or by itself. */
const show_view = (view) => {
    const key = bare(view.key);
    if (view.kind === "heightmap") show_ground(key);
    else if (view.kind === "image" && !on_map(view)) show_picture(view);
    else if (can_lie(view)) {
        scene.layer = key;
        show_choices();
        refresh_scene();
    }
};
