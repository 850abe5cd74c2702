/* The library's recipes: what each makes, and a node of it to paste. */
let library = null;
const copy_text = async (text, button, pre) => {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    say("Copied: paste it below nodes:");
  } catch {
    getSelection().selectAllChildren(pre);
    button.textContent = "Selected: copy it";
  }
};
const library_part = ({ name, about, yaml }) => {
  const part = make("div", "", "recipe"), head = make("div"), copy = make("button", "Copy YAML"), pre = make("pre", yaml);
  copy.type = "button";
  copy.setAttribute("aria-label", `Copy YAML of ${name}`);
  copy.onclick = () => copy_text(yaml, copy, pre);
  pre.tabIndex = 0;
  pre.setAttribute("role", "region");
  pre.setAttribute("aria-label", `YAML of ${name}`);
  head.append(make("b", name), make("span", "", "grow"), copy);
  part.append(head, make("p", about, "quiet"), pre);
  return part;
};
const show_library = async () => {
  if (library || by("library").hidden) return;
  library = known.state && known.state.library || await read_json("/library.json").catch(() => null);
  if (!library) return by("library").replaceChildren(make("p", "The server does not answer.", "quiet"));
  by("library").replaceChildren(make("p", "Recipes that come with Thalweg, as nodes: copy one and paste it below nodes:", "quiet"), ...library.map(library_part));
};
