/* The head of the page: the recipe, facts of its last run, and what that run said. */
const show_facts = ({ seconds, computed, kept }) => {
    const { size, seed } = known.state,
        run = { computed, kept, time: time_words(seconds) },
        facts = size[0] ? { ...run, size: size.join(" × "), seed } : {};
    const parts = Object.entries(facts).map(([name, v]) => {
        const item = make("li", name + " ");
        item.append(make("b", v));
        return item;
    });
    by("facts").replaceChildren(...parts);
};
const count_lines = (text, word) =>
    text.match(new RegExp(`^.*:\\d+:\\d+: ${word}:|^${word}:`, "gm"))?.length ?? 0;
/* Lines as they were printed, with marks on what they found. Warnings are folded into one line. */
const show_faults = (text, code) => {
    const words = text.trimEnd(),
        parts = words.split(/(\berror:|\^~*)/).map((part, i) => (i % 2 ? make("b", part) : part)),
        errors = count_lines(words, "error"),
        warnings = count_lines(words, "warning"),
        counts = [
            errors && count_words(errors, "error", "errors"),
            warnings && count_words(warnings, "warning", "warnings"),
        ];
    by("fault-count").textContent = counts.filter(Boolean).join(", ") || "what the run said";
    if (by("fault-lines").textContent !== words) by("fault-fold").open = Boolean(code);
    by("fault-lines").replaceChildren(...parts);
    by("faults").hidden = !words;
    body.classList.toggle("faulty", code);
};
const state_words = ({ code, draft, diagnostics }) => {
    if (code)
        return (
            "The recipe has faults" +
            (of_now(scene.ground) ? ": what is shown is of its last good state" : "")
        );
    if (draft) return "Draft";
    return diagnostics ? "Done, with warnings" : "Done";
};
const set_running = (on) => body.classList.toggle("running", on);
const recipe_name = () => known.state?.recipe.replace(/^.*\//, "") ?? "thalweg";
const tell_state = (words) => {
    by("state").textContent = words;
    document.title = (body.classList.contains("faulty") ? "faulty: " : "") + recipe_name();
};
const choose_side = (side) => {
    known.side = side;
    known.node = known.node && `${side}.${bare(known.node)}`;
    show_sides();
    show_rows();
    show_nodes();
};
const show_sides = () => {
    const parts = known.state.variants.map((v) => {
        const part = make_button(v.label, "", () => choose_side(v.name));
        press(part, v.name === known.side);
        return part;
    });
    by("sides").hidden = !parts.length;
    by("sides").replaceChildren(...parts);
};
const show_head = () => {
    const { recipe, about, running, diagnostics, code } = known.state;
    by("recipe").textContent = recipe_name();
    by("recipe").title = recipe;
    by("about").textContent = about;
    by("about").hidden = !about;
    set_running(running);
    show_faults(diagnostics, code);
    show_facts(known.state);
    tell_state(running ? "Computing" : state_words(known.state));
    show_sides();
};
