/* Grids and pictures by digest: fetched once; the 24 that were used last stay. */
const grids = new Map();

const remember = (name, load) => {
    let found = grids.get(name);
    if (found) grids.delete(name);
    else {
        found = load();
        found.catch(() => grids.delete(name));
    }
    grids.set(name, found);
    if (grids.size > 24) grids.delete(grids.keys().next().value);
    return found;
};
/* Values of a heightmap, mask or labels as floats, row by row from the north. */
const decode = (bytes, [form, least, step]) => {
    const steps = form === "u8" ? new Uint8Array(bytes) : new Uint16Array(bytes),
        values = new Float32Array(steps.length);
    for (let i = 0; i < steps.length; i++) values[i] = least + steps[i] * step;
    return values;
};
const load_grid = (view) =>
    remember("v" + view.digest, async () =>
        decode(await (await fetch_ok("/v/" + view.digest)).arrayBuffer(), view.encoding),
    );
/* A picture as a layer over the ground: at most 2048 pixels a side. */
const load_bitmap = (view) =>
    remember("p" + view.digest, async () => {
        const blob = await (await fetch_ok("/p/" + view.digest)).blob(),
            [w, h] = view.size,
            part = min(1, 2048 / max(w, h));
        return createImageBitmap(blob, {
            resizeWidth: max(1, round(w * part)),
            resizeHeight: max(1, round(h * part)),
            premultiplyAlpha: "none",
        });
    });
