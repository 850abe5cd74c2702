/* The row above the canvas: camera, look, layer, exaggeration, water and contours. */
/* The least of 1, 2 and 5 times a power of ten that is not below `v`. */
const round_up = (v) => {
    const ten = 10 ** floor(log10(v));
    return ten * [1, 2, 5, 10].find((n) => n * ten >= v * 0.999999);
};
const set_contours = () => {
    const s = viewer.slots[0],
        on = by("contours").checked && s.data,
        metres = world()?.height_m ?? 1,
        step = on ? round_up(((s.high - s.low) * metres) / 16 || 1) : 0;
    by("contour-step").textContent = on ? brief(step) + (world() ? " m" : "") : "";
    set_viewer("contour", step / metres);
};
const set_camera = (top) => {
    if (viewer.flat) return;
    viewer.camera.top = top;
    press(by("orbit"), !top);
    press(by("top"), top);
    viewer.home();
};
const set_rise = () => {
    viewer.exaggeration = 2 ** Number(by("rise").value);
    by("rise-out").textContent = brief(viewer.exaggeration, 2);
    if (viewer.camera.own) viewer.dirty();
    else viewer.home();
};
const set_viewer = (name, value) => {
    if (viewer[name] === value) return;
    viewer[name] = value;
    viewer.dirty();
};
by("orbit").onclick = () => set_camera(false);
by("top").onclick = () => set_camera(true);
by("ground").onchange = () => show_ground(by("ground").value);
by("layer").onchange = () => {
    scene.layer = by("layer").value;
    refresh_scene();
};
by("look").onchange = () => set_viewer("look", by("look").value);
by("opacity").oninput = () => set_viewer("opacity", Number(by("opacity").value));
by("water").onchange = () => set_viewer("water", by("water").checked);
by("rise").oninput = set_rise;
by("rise").ondblclick = () => {
    by("rise").value = 0;
    set_rise();
};
by("contours").onchange = set_contours;
