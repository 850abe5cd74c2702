/* The server's side of the page: requests, and events, which are asked for again after every fault. */
const token = document.querySelector("meta[name^=thalweg]").content;

const fetch_ok = async (path, options) => {
    const answer = await fetch(path, options);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer;
};
const read_json = async (path) => (await fetch_ok(path, { cache: "no-store" })).json();
const post = (path, body) =>
    fetch(path, {
        method: "POST",
        headers: { "X-Thalweg-Token": token, "Content-Type": "application/json" },
        body: JSON.stringify(body),
    });

/* `on`: functions by the name of an event, and `lost`. */
const listen = (on, wait = 1000) => {
    const source = new EventSource("/events");
    let opened = false;
    source.onopen = () => {
        opened = true; /* `state` follows */
    };
    source.onerror = () => {
        source.close();
        on.lost();
        setTimeout(listen, wait, on, opened ? 1000 : min(8000, wait * 2));
    };
    for (const name of ["begin", "plan", "node", "view", "record", "end", "dropped", "state"])
        source.addEventListener(name, (event) => on[name](event.data ? JSON.parse(event.data) : {}));
};
