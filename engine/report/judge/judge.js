"use strict";
(() => {
  const data = JSON.parse(document.getElementById("judge").textContent);
  const by = (id) => document.getElementById(id);
  const pictures = [...by("pictures").children];
  const answers = [], times = [];
  let since = performance.now();

  /* The browser keeps answers and times, by page: a reload loses nothing. */
  const place = `thalweg-judge ${data.identity} ${data.draw} ${data.asked}`;
  const keep = () => {
    try { localStorage.setItem(place, JSON.stringify({ answers, times })); }
    catch { by("kept").textContent = "This browser keeps nothing: save the answers before you leave the page."; }
  };
  const recall = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(place)) || { answers: [], times: [] };
      if (kept.answers.length > data.pairs.length || kept.answers.length !== kept.times.length) return;
      answers.push(...kept.answers);
      times.push(...kept.times);
    } catch { /* nothing is kept, or it is not ours */ }
  };

  /* A pair without pictures, of a seed that failed, is null, and so is its answer. */
  const asked = data.pairs.filter((pair) => pair).length;
  const given = () => answers.filter((choice) => choice).length;
  const skip = () => { while (answers.length < data.pairs.length && !data.pairs[answers.length]) { answers.push(null); times.push(0); } };

  const show = () => {
    skip();
    const done = answers.length === data.pairs.length;
    by("count").textContent = done ? `${asked} pairs: thank you` : `pair ${given() + 1} of ${asked}`;
    by("progress").max = asked;
    by("progress").value = given();
    by("undo").disabled = given() === 0;
    by("pair").hidden = by("tie").hidden = done;
    document.querySelector(".verdict").textContent = done ? "Save the answers and send the file." : "Which one looks better?";
    if (!done) {
      const [left, right] = data.pairs[answers.length];
      by("left-image").src = pictures[left].src;
      by("right-image").src = pictures[right].src;
    }
    since = performance.now();
  };
  /* "left", "right" or "tie" */
  const answer = (choice) => {
    if (answers.length === data.pairs.length) return;
    answers.push(choice);
    times.push(Math.round(performance.now() - since));
    keep();
    show();
    if (answers.length === data.pairs.length) save();
  };
  const undo = () => {
    while (answers.length && !answers[answers.length - 1]) { answers.pop(); times.pop(); }
    answers.pop();
    times.pop();
    keep();
    show();
  };
  const again = () => {
    if (given() > 0 && !confirm("Forget all answers and start again?")) return;
    answers.length = times.length = 0;
    keep();
    show();
  };
  const save = () => {
    const text = JSON.stringify({ format: "thalweg.answers/1", identity: data.identity, draw: data.draw,
      asked: data.asked, answers, milliseconds: times }, null, 1) + "\n";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = `answers-${data.identity}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const keys = { ArrowLeft: () => answer("left"), ArrowRight: () => answer("right"), " ": () => answer("tie"),
    Backspace: undo, s: save };
  addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    event.preventDefault();
    act();
  });
  for (const [id, act] of [["left", keys.ArrowLeft], ["right", keys.ArrowRight], ["tie", keys[" "]], ["undo", undo], ["save", save], ["again", again]])
    by(id).onclick = (event) => { event.currentTarget.blur(); act(); };
  recall();
  show();
})();
