/* The hand on a canvas: one pointer turns, or moves with shift or another button; two pinch and move; the
 * wheel comes nearer, a double-click goes home. Keys do the same. */
const ARROWS = { ArrowLeft: [-14, 0], ArrowRight: [14, 0], ArrowUp: [0, -14], ArrowDown: [0, 14] };
const gap_of = ([a, b]) => hypot(a[0] - b[0], a[1] - b[1]) || 1;
const middle_of = ([a, b]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];

const on_key = (viewer, e) => {
    const step = ARROWS[e.key];
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    if (step && e.shiftKey) viewer.pan(-step[0], -step[1]);
    else if (step) viewer.turn(...step);
    else if (e.key === "+" || e.key === "=") viewer.zoom(0.88);
    else if (e.key === "-") viewer.zoom(1.14);
    else if (e.key === "Home") viewer.home();
    else return;
    e.preventDefault();
};
const pinch = (viewer, before, now) => {
    const from = middle_of(before),
        to = middle_of(now);
    viewer.zoom(gap_of(before) / gap_of(now));
    viewer.pan(to[0] - from[0], to[1] - from[1]);
};
const follow_hand = (viewer, canvas) => {
    const fingers = new Map(),
        on = (name, act) => canvas.addEventListener(name, act, { passive: false });
    on("pointerdown", (e) => {
        canvas.setPointerCapture(e.pointerId);
        fingers.set(e.pointerId, [e.offsetX, e.offsetY]);
    });
    on("pointermove", (e) => {
        const was = fingers.get(e.pointerId),
            before = [...fingers.values()],
            dx = e.offsetX - was?.[0],
            dy = e.offsetY - was?.[1];
        if (!was) return;
        fingers.set(e.pointerId, [e.offsetX, e.offsetY]);
        if (fingers.size === 2) pinch(viewer, before, [...fingers.values()]);
        else if (e.buttons & 6 || e.shiftKey) viewer.pan(dx, dy);
        else viewer.turn(dx, dy);
    });
    for (const name of ["pointerup", "pointercancel"]) on(name, (e) => fingers.delete(e.pointerId));
    on("contextmenu", (e) => e.preventDefault());
    on("wheel", (e) => {
        e.preventDefault();
        viewer.zoom(exp(clamp(e.deltaY, -300, 300) * 0.0012));
    });
    on("dblclick", () => viewer.home());
    on("keydown", (e) => on_key(viewer, e));
};
