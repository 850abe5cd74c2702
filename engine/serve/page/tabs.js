/* Tabs by mouse and arrows, each with the panel that its id names; the page's icon and address. */
const tabs = [...document.querySelectorAll("[role=tab]")];
const panel_of = (tab) => by(tab.id.slice(4));
const choose_tab = (tab) => {
    for (const other of tabs) {
        const on = other === tab;
        other.ariaSelected = on;
        other.tabIndex = on ? 0 : -1;
        panel_of(other).hidden = !on;
    }
    body.classList.toggle("wide", tab.id === "tab-graph");
    show_nodes();
    show_library();
};
tabs.forEach((tab, i) => {
    const panel = panel_of(tab);
    panel.role = "tabpanel";
    panel.tabIndex = 0;
    panel.setAttribute("aria-labelledby", tab.id);
    tab.setAttribute("aria-controls", panel.id);
    tab.onclick = () => choose_tab(tab);
    tab.onkeydown = (e) => {
        const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: -1 }[e.key],
            next = tabs.at(to === tabs.length ? 0 : to);
        if (to === undefined) return;
        e.preventDefault();
        choose_tab(next);
        next.focus();
    };
});
choose_tab(tabs[0]);
const peak = `<path fill="#e07b2e" d="M0 14 6 3l3 5 2-3 5 9Z"/>`;
const icon = make("link");
icon.rel = "icon";
icon.href = URL.createObjectURL(
    new Blob([`<svg xmlns="${SVG}" viewBox="0 0 16 16">${peak}</svg>`], { type: "image/svg+xml" }),
);
document.head.append(icon);
/* The key has become a cookie: it need not stay in the address. */
const address = new URL(location.href);
address.searchParams.delete("k");
history.replaceState(null, "", address);
