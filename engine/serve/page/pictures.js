/* Pictures: outputs and exports, such as perspectives; one at a time fills a sheet. */
const shown = new Map(); /* parts by key */
const no_pictures = make("p", "No output or export is a picture.", "quiet");

const picture_name = (v) => v.files[0] || v.key;
const size_words = (v) => v.size.join(" × ");
const picture_part = (v) => {
    const part = shown.get(v.key) || make_button("", "picture"),
        src = "/p/" + v.digest;
    if (!shown.has(v.key)) part.append(make("img"), make("span"));
    shown.set(v.key, part);
    const [picture, words] = part.children,
        [width, height] = v.size;
    part.onclick = () => show_picture(v);
    part.classList.toggle("stale", Boolean(v.stale));
    words.textContent = `${picture_name(v)} · ${size_words(v)}${v.stale ? " · of an earlier run" : ""}`;
    if (picture.getAttribute("src") !== src)
        Object.assign(picture, { src, alt: picture_name(v), width, height });
    return part;
};
const show_pictures = () => {
    const list = Object.values(known.views).filter((v) => v.kind === "image"),
        open = by("full").open && known.views[by("full").dataset.key];
    put_parts(by("pictures"), list.length ? list.map(picture_part) : [no_pictures]);
    if (open && open.digest !== by("full").dataset.digest) show_picture(open);
};
const show_picture = async (v) => {
    const picture = make("img"),
        sheet = by("full");
    picture.src = "/p/" + v.digest;
    picture.alt = picture_name(v);
    await picture.decode().catch(() => {});
    Object.assign(sheet.dataset, { key: v.key, digest: v.digest });
    by("full-name").textContent = `${picture_name(v)}, ${size_words(v)}`;
    by("pan").replaceChildren(picture);
    if (!sheet.open) sheet.showModal();
};
by("full-close").onclick = () => by("full").close();
by("full-size").onclick = () => press(by("full-size"), by("pan").classList.toggle("pixels"));
by("full").onclick = (e) => {
    if (e.target === by("full")) by("full").close();
};
