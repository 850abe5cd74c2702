/* Pictures: outputs and exports, such as perspectives; one at a time fills a sheet. */
const shown = new Map(); /* parts by key */

const show_pictures = () => {
  const list = Object.values(known.views).filter((v) => v.kind === "image");
  put_parts(by("pictures"), list.length ? list.map((v) => {
    let part = shown.get(v.key);
    if (!part) {
      part = make("button", "", "picture");
      part.type = "button";
      part.append(make("img"), make("span"));
      shown.set(v.key, part);
    }
    const [picture, words] = part.children, src = "/p/" + v.digest;
    part.onclick = () => show_picture(v);
    part.classList.toggle("stale", Boolean(v.stale));
    if (picture.getAttribute("src") !== src) Object.assign(picture, { src, alt: picture_name(v), width: v.size[0], height: v.size[1] });
    words.textContent = `${picture_name(v)} · ${v.size.join(" × ")}${v.stale ? " · of an earlier run" : ""}`;
    return part;
  }) : [by("pictures").firstChild && !shown.size ? by("pictures").firstChild : make("p", "No output or export is a picture.", "quiet")]);
  const open = by("full").open && known.views[by("full").dataset.key];
  if (open && open.digest !== by("full").dataset.digest) show_picture(open);
};
const picture_name = (v) => (v.files || [])[0] || v.key;
const show_picture = async (v) => {
  const picture = make("img");
  picture.src = "/p/" + v.digest;
  picture.alt = picture_name(v);
  await picture.decode().catch(() => {});
  Object.assign(by("full").dataset, { key: v.key, digest: v.digest });
  by("full-name").textContent = `${picture_name(v)}, ${v.size.join(" × ")}`;
  by("pan").replaceChildren(picture);
  if (!by("full").open) by("full").showModal();
};
by("full-close").onclick = () => by("full").close();
by("full-size").onclick = () => press(by("full-size"), by("pan").classList.toggle("pixels"));
by("full").onclick = (e) => { if (e.target === by("full")) by("full").close(); };
