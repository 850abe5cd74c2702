/* What is under the pointer, or at the centre for those who use keys; and the scale and the needle on the
 * canvas. */
const place_words = (p) => {
    const w = world(),
        now = of_now(scene.ground),
        rise = brief(p.rise, 3),
        metres = (v, digits = 0) => (w ? ` = ${v.toFixed(digits)} m` : ""),
        list = [
            ["x ", p.x.toFixed(4) + metres(p.x * w?.side_m)],
            ["y ", p.y.toFixed(4) + metres(p.y * w?.side_m * p.depth)],
            ["height ", brief(p.height) + metres(p.height * w?.height_m, 1)],
            ["slope ", w ? `${p.slope.toFixed(1)}° (${rise})` : rise],
        ];
    if (p.layer !== undefined) list.push([`${view_words(scene.layer)} `, brief(p.layer, 3)]);
    if (p.before) list.push(["", by("was").textContent]);
    if (now?.map && now.size[0] < now.map[0])
        list.push(["", `shown at ${now.size[0]} of ${now.map[0]} cells`]);
    return list;
};
const tell_place = (p) => {
    const parts = p
        ? place_words(p).flatMap(([name, v]) => [name, make("b", v), "   "])
        : ["Point at the ground"];
    by("readout").replaceChildren(...parts);
};
const tell_centre = () => {
    const p = viewer.pick(viewer.canvas.clientWidth / 2, viewer.canvas.clientHeight / 2);
    tell_place(p);
    say(
        p
            ? "At the centre: " +
                  place_words(p)
                      .map((w) => w.join(""))
                      .join(", ")
            : "No ground at the centre",
    );
};
const on_canvas = (name, act) => viewer.canvas.addEventListener(name, act);
const on_pointer = (e) => tell_place(viewer.pick(e.offsetX, e.offsetY));
on_canvas("pointermove", (e) => {
    if (!e.buttons) on_pointer(e);
});
on_canvas("pointerup", on_pointer);
on_canvas("pointerleave", () => tell_place(null));
on_canvas("keydown", (e) => {
    if (/^(Arrow|[-+=]$|Home)/.test(e.key)) tell_centre();
});

const show_scale = () => {
    const per = viewer.pixel() * (world()?.side_m ?? 1),
        n = round_up(per * 50),
        [line, words] = [by("scale").querySelector("i"), by("scale").querySelector("span")];
    line.style.setProperty("width", `${n / per}px`);
    words.textContent = !world() ? `${brief(n)} of the side` : n >= 1000 ? `${n / 1000} km` : `${brief(n)} m`;
};
viewer.ondraw = () => {
    const s = viewer.slots[0],
        layer = scene.layer ? `, with ${view_words(scene.layer)}` : "";
    show_scale();
    by("north").style.setProperty("transform", `rotate(${viewer.camera.top ? 0 : viewer.camera.yaw}rad)`);
    if (!s.data) return;
    const heights = `${brief(s.low)} to ${brief(s.high)}`;
    viewer.canvas.ariaLabel = `terrain ${view_words(scene.ground)}, heights ${heights}${layer}`;
};
