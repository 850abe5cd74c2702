/* What the canvas shows: a ground, a layer over it, before and now; and what is said about it. */
const scene = { ground: "", layer: "", draft: false };
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
const on_map = (v) => v.size && known.state && known.state.size && Math.abs(v.size[0] / v.size[1] - known.state.size[0] / known.state.size[1]) < .01;
const can_lie = (v) => ["mask", "labels", "heightmap"].includes(v.kind) || v.kind === "image" && on_map(v);
const wanted = () => [scene.ground, scene.layer].filter(Boolean).flatMap((k) => has_variants() ? ["a." + k, "b." + k].filter((n) => known.views[n]) : [k]);

const load_slot = async (index, ground, layer) => {
  const [heights, over] = await Promise.all([load_grid(ground), layer ? layer.kind === "image" ? load_bitmap(layer) : load_grid(layer) : null]);
  /* Another may have been chosen, or computed, meanwhile. */
  const still = index ? of_before(scene.ground) : of_now(scene.ground);
  if (!still || still.digest !== ground.digest) return false;
  viewer.set_ground(index, ground.digest, heights, ground.size[0], ground.size[1], ground.least, ground.greatest);
  if (layer) viewer.set_layer(index, layer.kind === "heightmap" ? "mask" : layer.kind, layer.digest, over, layer.kind === "image" ? over.width : layer.size[0], layer.kind === "image" ? over.height : layer.size[1], layer.kind === "mask" ? [0, clamp(layer.greatest, 1e-9, 1)] : [layer.least, layer.greatest]);
  else viewer.set_layer(index, "", "", null, 0, 0);
  return true;
};
const refresh_scene = async () => {
  const now = of_now(scene.ground), other = viewer.canvas.dataset.ground !== scene.ground;
  if (now) {
    if (!await load_slot(0, now, scene.layer && of_now(scene.layer)).catch(() => false)) return;
    by("empty").hidden = true;
    by("scale").hidden = false;
    by("badge").textContent = now.draft ? "draft" : now.stale ? "of an earlier run" : "";
    by("badge").hidden = !by("badge").textContent;
    Object.assign(viewer.canvas.dataset, { ground: scene.ground, digest: now.digest, draft: String(Boolean(now.draft)) });
    if (other && !viewer.camera.own) viewer.home();
    set_contours();
  }
  if (!by("wiper").hidden) refresh_before();
};
const refresh_before = async () => {
  const was = of_before(scene.ground), names = has_variants() ? known.state.variants.map((v) => v.label) : [known.before ? known.before.label : "nothing before yet", "now"];
  [by("was").textContent, by("is").textContent] = names;
  if (!was) return viewer.clear(1);
  await load_slot(1, was, scene.layer && of_before(scene.layer)).catch(() => { by("was").textContent = "not kept any more"; viewer.clear(1); });
};

/* ---- choices ---- */
const view_words = (key) => {
  const v = of_now(key);
  if (!v) return key; /* the server starts again and has told nothing yet */
  const node = v.node ? bare(v.node) : key, port = v.port && v.port !== "out" ? `.${v.port}` : "", name = (v.names || []).find((n) => n !== node);
  return node + port + (name ? ` (${name})` : "");
};
const fill_choice = (select, keys, chosen, none) => {
  const list = JSON.stringify(keys.map((k) => [k, view_words(k)]));
  if (select.dataset.list !== list) {
    select.dataset.list = list;
    select.replaceChildren(...(none ? [new Option("none", "")] : []), ...keys.map((k) => new Option(view_words(k), k)));
  }
  select.value = chosen;
};
const show_choices = () => {
  const keys = [...new Set(Object.keys(known.views).map(bare))], grounds = keys.filter((k) => of_now(k).kind === "heightmap");
  if (!of_now(scene.ground)) scene.ground = grounds.find((k) => (of_now(k).names || []).length) || grounds[grounds.length - 1] || "";
  if (!of_now(scene.layer)) scene.layer = "";
  fill_choice(by("ground"), grounds, scene.ground);
  fill_choice(by("layer"), keys.filter((k) => k !== scene.ground && can_lie(of_now(k))), scene.layer, true);
  const sea = known.state && known.state.world && typeof known.state.world.sea_level === "number";
  by("water-label").hidden = !sea;
  by("wipe").textContent = has_variants() ? "A | B" : "Before | now";
  by("keep").hidden = has_variants();
};
/* Shows a value where it belongs: as ground, as a layer, or by itself. */
const show_view = (view) => {
  const key = bare(view.key);
  if (view.kind === "heightmap") { scene.ground = key; if (scene.layer === key) scene.layer = ""; }
  else if (can_lie(view)) scene.layer = key;
  else if (view.kind === "image") return show_picture(view);
  else return;
  show_choices();
  refresh_scene();
  show_numbers();
};
const set_contours = () => {
  const s = viewer.slots[0], metres = known.state && known.state.world ? known.state.world.height_m : 1, span = (s.high - s.low) * metres / 16 || 1, ten = 10 ** Math.floor(Math.log10(span)), step = ten * (span / ten > 5 ? 10 : span / ten > 2 ? 5 : span / ten > 1 ? 2 : 1);
  viewer.contour = by("contours").checked && s.data ? step / metres : 0;
  by("contour-step").textContent = by("contours").checked ? brief(step) + (metres === 1 ? "" : " m") : "";
  viewer.dirty();
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
  if (viewer.camera.own) viewer.dirty(); else viewer.home();
};
by("orbit").onclick = () => set_camera(false);
by("top").onclick = () => set_camera(true);
by("ground").onchange = () => { scene.ground = by("ground").value; show_choices(); refresh_scene(); show_numbers(); };
by("layer").onchange = () => { scene.layer = by("layer").value; refresh_scene(); };
by("look").onchange = () => { viewer.look = by("look").value; viewer.dirty(); };
by("opacity").oninput = () => { viewer.opacity = Number(by("opacity").value); viewer.dirty(); };
by("rise").oninput = set_rise;
by("rise").ondblclick = () => { by("rise").value = 0; set_rise(); };
by("water").onchange = () => { viewer.water = by("water").checked; viewer.dirty(); };
by("contours").onchange = set_contours;

/* ---- before and now ---- */
const set_wipe = (share) => {
  viewer.wipe = share;
  by("wiper").style.setProperty("left", `${share * 100}%`);
  by("wiper").setAttribute("aria-valuenow", Math.round(share * 100));
  viewer.dirty();
};
const open_wipe = (on) => {
  by("wiper").hidden = !on;
  press(by("wipe"), on);
  set_wipe(on ? .5 : 1);
  if (on) refresh_before();
};
by("wipe").onclick = () => open_wipe(by("wiper").hidden);
by("keep").onclick = () => { known.kept = true; known.before = { ...results(), label: `kept: ${known.settled ? known.settled.label : "now"}` }; open_wipe(true); show_numbers(); };
by("wiper").onpointerdown = (e) => by("wiper").setPointerCapture(e.pointerId);
by("wiper").onpointermove = (e) => { if (!by("wiper").hasPointerCapture(e.pointerId)) return; const r = by("stage").getBoundingClientRect(); set_wipe(clamp((e.clientX - r.left) / r.width, .001, .999)); };
by("wiper").onkeydown = (e) => {
  const step = { ArrowLeft: -.02, ArrowDown: -.02, ArrowRight: .02, ArrowUp: .02, PageDown: -.1, PageUp: .1, Home: -1, End: 1 }[e.key];
  if (step) { e.preventDefault(); set_wipe(clamp(viewer.wipe + step, .001, .999)); }
};

/* ---- what is under the pointer ---- */
const place_words = (p) => {
  const w = known.state && known.state.world, now = of_now(scene.ground), metres = (v) => `${Math.round(v)} m`, list = [];
  list.push(["x ", p.x.toFixed(4) + (w ? ` = ${metres(p.x * w.side_m)}` : "")], ["y ", p.y.toFixed(4) + (w ? ` = ${metres(p.y * w.side_m * p.depth)}` : "")]);
  list.push(["height ", brief(p.height) + (w ? ` = ${(p.height * w.height_m).toFixed(1)} m` : "")], ["slope ", w ? `${p.slope.toFixed(1)}° (${brief(p.rise, 3)})` : brief(p.rise, 3)]);
  if (p.layer !== undefined) list.push([`${view_words(scene.layer)} `, brief(p.layer, 3)]);
  if (p.before) list.push(["", by("was").textContent]);
  if (now && now.map && now.size[0] < now.map[0]) list.push(["", `shown at ${now.size[0]} of ${now.map[0]} cells`]);
  return list;
};
const tell_place = (p) => by("readout").replaceChildren(...(p ? place_words(p).flatMap(([name, v]) => [name, make("b", v), "   "]) : ["Point at the ground"]));
const pointed = (e) => tell_place(viewer.pick(e.offsetX, e.offsetY));
viewer.canvas.addEventListener("pointermove", (e) => { if (!e.buttons) pointed(e); });
viewer.canvas.addEventListener("pointerup", pointed);
viewer.canvas.addEventListener("pointerleave", () => tell_place(null));
viewer.canvas.addEventListener("keydown", (e) => {
  if (!/^(Arrow|[-+=]$|Home)/.test(e.key)) return;
  const p = viewer.pick(viewer.canvas.clientWidth / 2, viewer.canvas.clientHeight / 2);
  tell_place(p);
  say(p ? "At the centre: " + place_words(p).map((w) => w.join("")).join(", ") : "No ground at the centre");
});
viewer.ondraw = () => {
  const side = known.state && known.state.world ? known.state.world.side_m : 1, per = viewer.pixel() * side, want = 110 * per, ten = 10 ** Math.floor(Math.log10(want)), n = want / ten >= 5 ? 5 * ten : want / ten >= 2 ? 2 * ten : ten, s = viewer.slots[0];
  by("scale").querySelector("i").style.setProperty("width", `${n / per}px`);
  by("scale").querySelector("span").textContent = side === 1 ? `${brief(n)} map sides` : n >= 1000 ? `${n / 1000} km` : `${brief(n)} m`;
  by("north").style.setProperty("transform", `rotate(${viewer.camera.top ? 0 : viewer.camera.yaw}rad)`);
  if (s.data) viewer.canvas.setAttribute("aria-label", `terrain ${view_words(scene.ground)}, heights ${brief(s.low)} to ${brief(s.high)}${scene.layer ? `, with ${view_words(scene.layer)}` : ""}`);
};
