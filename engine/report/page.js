"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  for (const part of all("[hidden].live")) part.hidden = false;

  const theme = document.getElementById("theme");
  const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const name = () => { if (theme) theme.textContent = dark() ? "Light" : "Dark"; };
  if (theme) theme.onclick = () => { root.dataset.theme = dark() ? "light" : "dark"; name(); };
  name();

  /* Paper has no clicks: what is folded is printed, too. */
  let folded = [];
  addEventListener("beforeprint", () => { folded = all("details:not([open])"); for (const part of folded) part.open = true; });
  addEventListener("afterprint", () => { for (const part of folded) part.open = false; });

  /* Cells say in data-v what they sort by. */
  const value = (row, i) => { const v = row.cells[i].dataset.v; return v === undefined ? row.cells[i].textContent : Number(v); };
  const order = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
  const sort = (head) => {
    const table = head.closest("table"), body = table.tBodies[0], down = head.ariaSort !== "descending";
    for (const other of all("th", table.tHead)) other.removeAttribute("aria-sort");
    head.ariaSort = down ? "descending" : "ascending";
    const rows = [...body.rows].sort((a, b) => order(value(a, head.cellIndex), value(b, head.cellIndex)) * (down ? -1 : 1));
    body.append(...rows);
  };
  for (const head of all("table.sort thead th")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.title = "sort by this column";
    button.onclick = () => sort(head);
    head.append(button);
  }

  /* A slider borrows the pictures of the page. */
  const picture = (run, seed, view) => document.querySelector(`img[data-run="${run}"][data-seed="${seed}"][data-view="${view}"]`);
  for (const slider of all(".slider")) {
    const by = (name) => slider.querySelector(`[name=${name}]`);
    const stage = slider.querySelector(".stage"), under = stage.querySelector(".under"), over = stage.querySelector(".top");
    const cut = () => stage.style.setProperty("--cut", by("cut").value + "%");
    const show = () => {
      for (const [side, image, label] of [["left", under, ".left"], ["right", over, ".right"]]) {
        const source = picture(by(side).value, by("seed").value, by("view").value);
        if (source) { image.src = source.src; image.alt = source.alt; }
        stage.querySelector(".name" + label).textContent = by(side).selectedOptions[0].textContent;
      }
      cut();
    };
    for (const field of ["left", "right", "seed", "view"]) by(field).onchange = show;
    by("cut").oninput = cut;
    show();
  }

  /* A dot opens its run: pictures that the page has, and the command that makes them. */
  const dialog = document.getElementById("map"), runs = document.getElementById("runs"), maps = document.getElementById("maps");
  if (dialog) {
    const by = (name) => dialog.querySelector(`[name=${name}]`);
    const code = dialog.querySelector("code"), plates = dialog.querySelector(".plates"), note = dialog.querySelector(".note");
    const option = (value, text) => { const made = document.createElement("option"); made.value = value; made.textContent = text; return made; };
    for (const run of runs.children) by("run").append(option(run.dataset.run, run.querySelector("b").textContent));
    for (const seed of runs.dataset.seeds.split(" ")) by("seed").append(option(seed, seed));
    const show = () => {
      const run = by("run").value, seed = by("seed").value;
      const found = all(`img[data-run="${run}"][data-seed="${seed}"]`).filter((image) => !dialog.contains(image));
      code.textContent = runs.querySelector(`[data-run="${run}"] code`).textContent.replace("SEED", seed);
      plates.replaceChildren(...found.map((image) => { const copy = document.createElement("img"); copy.src = image.src; copy.alt = image.alt; return copy; }));
      note.textContent = found.length ? "" : `The page has no picture of seed ${seed}. The command makes it; for variants, --picture-seed ${seed} adds it to the page.`;
      by("copy").textContent = "Copy the command";
    };
    const open = (run, seed) => {
      if (![...by("seed").options].some((known) => known.value === seed)) by("seed").append(option(seed, seed));
      by("run").value = run;
      by("seed").value = seed;
      show();
      if (!dialog.open) dialog.showModal();
    };
    const first = (run) => (document.querySelector(`main img[data-run="${run}"]`) || { dataset: { seed: by("seed").options[0].value } }).dataset.seed;
    by("run").onchange = by("seed").onchange = show;
    by("close").onclick = () => dialog.close();
    by("copy").onclick = async () => {
      try { await navigator.clipboard.writeText(code.textContent); by("copy").textContent = "Copied"; }
      catch { getSelection().selectAllChildren(code); by("copy").textContent = "Selected: copy it"; }
    };
    dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
    document.querySelector("main").addEventListener("click", (event) => {
      const run = event.target.closest("svg [data-run]"), seed = event.target.closest("svg [data-seed]");
      if (run && (seed || !run.querySelector("[data-seed]"))) open(run.dataset.run, seed ? seed.dataset.seed : first(run.dataset.run));
    });
    if (maps) maps.onclick = () => open(by("run").value, first(by("run").value));
  }
  if (maps && !dialog) maps.hidden = true;
})();
