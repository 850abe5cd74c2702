"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const make = (tag, text = "", style = "") => {
    const part = document.createElement(tag);
    part.textContent = text;
    if (style) part.className = style;
    return part;
  };
  const number = (v) => Number(v).toPrecision(4).replace(/(\.\d*?)0+($|e)/, "$1$2").replace(/\.($|e)/, "$1");
  const figures = new Map(); /* by the name of a view */
  let shown = 0, latest = 0, state = null, news = null, gone = false, loads = false, open = null;

  /* ---- the head ---- */
  const fact = (name, value) => {
    const item = make("li", name + " ");
    item.append(make("b", value));
    return item;
  };
  const facts = () => {
    const recipe = state.recipes && state.recipes[0], list = [];
    if (state.needed > 0)
      list.push(fact("nodes computed", `${state.computed} of ${state.needed}`), fact("kept", String(state.hits)), fact("time", `${state.seconds.toFixed(3)} s`));
    if (recipe && recipe.size) list.push(fact("size", `${recipe.size[0]} × ${recipe.size[1]}`), fact("seed", recipe.seed));
    by("facts").replaceChildren(...list);
  };
  const words = () => {
    if (gone) return "Start it again: this page then goes on";
    if (news && news.running) return news.node ? `Computing ${news.node}` : "Looking at the recipe";
    if (!state) return "Waiting for the first run";
    if (state.exit_code === 0) return state.warnings.length ? "Done, with warnings" : "Done";
    return state.views.some((view) => !view.stale) ? "Not everything could be computed" : "The recipe cannot be run; pictures are of its last good state";
  };
  const tell = () => {
    const running = Boolean(news && news.running) && !gone;
    by("gone").hidden = !gone;
    by("state").textContent = words();
    by("progress").value = running ? news.done : 1;
    document.title = (gone ? "gone: " : state && state.exit_code !== 0 ? "faulty: " : "") + by("recipe").textContent;
    document.body.classList.toggle("gone", gone);
    document.body.classList.toggle("running", running);
    document.body.classList.toggle("faulty", Boolean(state && state.exit_code !== 0));
  };

  /* ---- views ---- */

  /* A picture comes when it can be painted at once: nothing flickers, nothing moves. */
  const load = async (url, size) => {
    const image = new Image(size[0], size[1]);
    image.src = url;
    try { await image.decode(); } catch { /* another run has replaced it */ }
    return image;
  };
  const show_full = async (name) => {
    const view = state && state.views.find((one) => one.name === name);
    if (!view || !view.full) return;
    const image = await load(view.full, view.size);
    image.alt = name;
    by("full-name").textContent = `${name}, ${view.size[0]} × ${view.size[1]}`;
    by("pan").replaceChildren(image);
    open = name;
    if (!by("full").open) by("full").showModal();
  };
  const table = (entries) => {
    const whole = make("table"), rows = make("tbody");
    for (const entry of entries) {
      const row = make("tr"), head = make("th", entry.name);
      head.scope = "row";
      row.append(head, make("td", number(entry.number)));
      rows.append(row);
    }
    whole.append(rows);
    return whole;
  };
  const caption = (view) => {
    const part = make("figcaption");
    part.append(make("b", view.name));
    const more = [view.type];
    if (view.size) more.push(`${view.size[0]} × ${view.size[1]}`);
    if (view.least !== undefined) more.push(`${number(view.least)} to ${number(view.greatest)}`);
    if (view.count !== undefined) more.push(`${view.count} elements`);
    if (view.files.length) more.push(view.files.join(", "));
    part.append(` ${more.join(" · ")}`);
    if (view.stale) part.append(" ", make("span", "of an earlier run", "badge"));
    return part;
  };
  const content = async (view, figure) => {
    if (view.entries) return table(view.entries);
    if (!view.picture) return make("div", `${view.type}: nothing to draw`, "blank");
    const before = figure.querySelector("button.look");
    if (before && before.dataset.picture === view.picture) return before;
    const button = make("button", "", "look");
    const image = await load(view.picture, view.size);
    image.alt = `${view.name}: ${view.type}`;
    button.type = "button";
    button.title = "show it cell by cell";
    button.dataset.picture = view.picture;
    button.append(image);
    button.onclick = () => show_full(view.name);
    return button;
  };
  const draw = async (views) => {
    const parts = await Promise.all(views.map(async (view) => {
      const figure = figures.get(view.name) || make("figure");
      return [view, figure, await content(view, figure)];
    }));
    figures.clear();
    for (const [view, figure, inside] of parts) {
      figure.classList.toggle("stale", view.stale);
      if (figure.firstChild !== inside) figure.replaceChildren(inside, caption(view));
      else figure.lastChild.replaceWith(caption(view));
      figures.set(view.name, figure);
    }
    const wanted = [...figures.values()], place = by("views");
    if (wanted.length !== place.children.length || wanted.some((figure, i) => place.children[i] !== figure))
      place.replaceChildren(...wanted);
  };
  const refresh = async () => {
    if (loads) return;
    loads = true;
    try {
      while (shown !== latest) {
        const revision = latest, answer = await fetch("/state.json", { cache: "no-store" });
        if (!answer.ok) break;
        state = await answer.json();
        by("faults").textContent = state.diagnostics;
        by("faults").hidden = !state.diagnostics;
        await draw(state.views);
        facts();
        shown = revision;
        if (open !== null && by("full").open) await show_full(open);
      }
    } catch { /* the server is gone, as its events say */ }
    loads = false;
    tell();
  };

  /* ---- news ---- */
  const listen = () => {
    const source = new EventSource("/events");
    source.onmessage = (event) => {
      news = JSON.parse(event.data);
      gone = false;
      latest = news.revision;
      tell();
      void refresh();
    };
    source.onerror = () => {
      gone = true;
      shown = 0; /* another server counts anew */
      tell();
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, 1000);
    };
  };
  by("close").onclick = () => by("full").close();
  by("full").onclick = (event) => { if (event.target === by("full")) by("full").close(); };
  by("full").onclose = () => { open = null; by("pan").replaceChildren(); };
  listen();
})();
