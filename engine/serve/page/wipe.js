/* Before and now, or A and B, parted by a wipe. */
const wiper = by("wiper");
const refresh_before = async () => {
    const names = has_variants()
        ? known.state.variants.map((v) => v.label)
        : [known.before?.label ?? "nothing before yet", "now"];
    [by("was").textContent, by("is").textContent] = names;
    if (!of_before(scene.ground)) return viewer.clear(1);
    await load_slot(1, of_before).catch(() => {
        by("was").textContent = "not kept any more";
        viewer.clear(1);
    });
};
const set_wipe = (share) => {
    viewer.wipe = share;
    wiper.style.setProperty("left", `${share * 100}%`);
    wiper.ariaValueNow = round(share * 100);
    viewer.dirty();
};
const move_wipe = (share) => set_wipe(clamp(share, 0.001, 0.999));
const open_wipe = (on) => {
    wiper.hidden = !on;
    press(by("wipe"), on);
    set_wipe(on ? 0.5 : 1);
    if (on) refresh_before();
};
by("wipe").onclick = () => open_wipe(wiper.hidden);
by("keep").onclick = () => {
    known.kept = true;
    known.before = { ...results(), label: `kept: ${known.settled?.label ?? "now"}` };
    open_wipe(true);
    show_numbers();
};
wiper.onpointerdown = (e) => wiper.setPointerCapture(e.pointerId);
wiper.onpointermove = (e) => {
    const stage = by("stage").getBoundingClientRect();
    if (wiper.hasPointerCapture(e.pointerId)) move_wipe((e.clientX - stage.left) / stage.width);
};
const WIPE_STEPS = {
    Left: -0.02,
    Down: -0.02,
    Right: 0.02,
    Up: 0.02,
    PageDown: -0.1,
    PageUp: 0.1,
    Home: -1,
    End: 1,
};
wiper.onkeydown = (e) => {
    const step = WIPE_STEPS[e.key.replace("Arrow", "")];
    if (!step) return;
    e.preventDefault();
    move_wipe(viewer.wipe + step);
};
