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
    const part = make("div", "", "recipe"),
        head = make("div"),
        pre = make("pre", yaml),
        copy = make_button("Copy YAML", "", () => copy_text(yaml, copy, pre));
    copy.ariaLabel = `Copy YAML of ${name}`;
    pre.tabIndex = 0;
    pre.role = "region";
    pre.ariaLabel = `YAML of ${name}`;
    head.append(make("b", name, "grow"), copy);
    part.append(head, make("p", about, "quiet"), pre);
    return part;
};
const show_library = async () => {
    if (library || by("library").hidden) return;
    library = await read_json("/library.json").catch(() => null);
    const words = library
        ? "Recipes that come with Thalweg, as nodes: copy one and paste it below nodes:"
        : "The server does not answer.";
    by("library").replaceChildren(make("p", words, "quiet"), ...(library ?? []).map(library_part));
};
