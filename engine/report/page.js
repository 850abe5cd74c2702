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

  /* The slider borrows the pictures of the page. */
  const slider = document.getElementById("slider");
  if (slider) {
    const by = (name) => slider.querySelector(`[name=${name}]`);
    const stage = slider.querySelector(".stage"), under = stage.querySelector(".under"), over = stage.querySelector(".top");
    const picture = (variant) => document.querySelector(`img[data-variant="${variant}"][data-seed="${by("seed").value}"][data-view="${by("view").value}"]`);
    const cut = () => stage.style.setProperty("--cut", by("cut").value + "%");
    const show = () => {
      for (const [side, image, label] of [["left", under, ".left"], ["right", over, ".right"]]) {
        const source = picture(by(side).value);
        if (source) { image.src = source.src; image.alt = source.alt; }
        stage.querySelector(".name" + label).textContent = by(side).selectedOptions[0].textContent;
      }
      cut();
    };
    for (const field of ["left", "right", "seed", "view"]) by(field).onchange = show;
    by("cut").oninput = cut;
    show();
  }
})();
