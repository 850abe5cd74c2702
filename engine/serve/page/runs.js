/* Runs that the page asks for: while a control moves, one is under way and the newest values wait; drafts where a run is slow. */
const runs = { under: null, ended: 0, full: 0, waits: false, seconds: 1 };
const DRAFT_OVER = .12; /* seconds of the last run in full */

const run = async (sliding) => {
  if (sliding && runs.under && runs.under.sliding) { runs.waits = true; return; }
  runs.waits = false;
  const mine = runs.under = { sliding, asked: performance.now() };
  try {
    const answer = await post("/run", { values: known.values, want: wanted(), draft: sliding && runs.seconds > DRAFT_OVER });
    if (!answer.ok) throw new Error(answer.status === 403 ? "The server takes no values from this page: open the address that it printed." : `The server did not take the values: ${await answer.text()}`);
    mine.revision = (await answer.json()).revision;
    if (mine.revision <= runs.ended) run_over(mine.revision);
  } catch (fault) {
    if (runs.under === mine) runs.under = null;
    notice(fault instanceof TypeError ? "" : fault.message);
  }
};
const run_over = (revision) => {
  runs.ended = Math.max(runs.ended, revision);
  if (!runs.under || !(revision >= runs.under.revision)) return;
  runs.under = null;
  if (runs.waits) run(true);
};
const notice = (words) => { by("notice").textContent = words; by("notice").hidden = !words; };

/* ---- values that differ from the file ---- */
const in_file = (row) => row.file ?? row.default ?? row.value;
const value_of = (row) => known.values[row.path] ?? in_file(row);
const set_value = (row, text) => {
  if (text === in_file(row)) delete known.values[row.path]; else known.values[row.path] = text;
  show_pending();
};
const show_pending = () => {
  const n = Object.keys(known.values).length;
  by("changes").hidden = !n;
  by("pending").textContent = count_words(n, "value differs from the file", "values differ from the file");
  by("write").hidden = Boolean(known.state && known.state.read_only);
};
const write_file = async () => {
  const values = { ...known.values }, was = {};
  for (const path in values) was[path] = row_at(path)?.file ?? null;
  const answer = await post("/write", { values, was }).catch(() => null), told = answer ? await answer.json().catch(() => ({})) : {};
  if (answer && answer.ok) {
    for (const path in values) { const row = row_at(path); if (row) row.file = values[path]; if (known.values[path] === values[path]) delete known.values[path]; }
    notice("");
    say("Written to the file");
  } else if (answer && answer.status === 409) {
    const lines = (told.changed || []).map(({ path, value }) => { const row = row_at(path); if (row) row.file = value; return `${path}: ${value ?? "not there any more"} in the file, ${values[path]} here`; });
    notice(`Nothing was written: the file has changed meanwhile.\n${lines.join("\n")}\nWrite again to put yours in its place, or press Esc in a field to take the file's.`);
  } else notice(`Nothing was written. ${told.error || (answer ? `The server says ${answer.status}.` : "The server does not answer.")}`);
  show_pending();
  show_rows();
};
by("write").onclick = write_file;
by("discard").onclick = () => { known.values = {}; notice(""); show_pending(); show_rows(); run(false); };
