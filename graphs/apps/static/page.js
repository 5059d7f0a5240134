"use strict";
// What changes while it is looked at: a run's trace, the passage to be judged, the source beside.

async function fetched(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}
const part = async (url, id) => (await fetched(url)).getElementById(id);

async function swap(url, id) {
  const page = await fetched(url).catch(() => undefined);
  if (page === undefined) return lost(true);
  const [fresh, old] = [page, document].map((each) => each.getElementById(id));
  if (!fresh || !old) return location.reload();
  const field = document.activeElement?.id;
  const isRead = [old, fresh].some((each) => each.querySelector("#review"));
  document.querySelector("h1").replaceWith(page.querySelector("h1"));
  old.replaceWith(fresh);
  if (field && field !== "asked") document.getElementById(field)?.focus({ preventScroll: true });
  else document.getElementById("asked")?.focus({ preventScroll: true });
  if (isRead) scrollTo(0, 0);
  showSought();
  follow();
}

// The first word sought of a long passage stands above the verdicts.
function showSought() {
  const [word, bar] = ["#passage b", ".verdicts"].map((each) => document.querySelector(each));
  const at = word?.getBoundingClientRect();
  if (at && bar && at.bottom > bar.getBoundingClientRect().top) scrollBy(0, at.top - innerHeight / 3);
}

let source = null;
function follow() {
  const panel = document.querySelector("[data-feed]");
  if (!panel) {
    source?.close();
    source = null;
    return;
  }
  if (source && source.url === new URL(panel.dataset.feed, location.href).href) return;
  source?.close();
  source = new EventSource(panel.dataset.feed);
  let shown = Number(panel.dataset.told);
  source.addEventListener("line", (event) => {
    if (Number(event.lastEventId) <= shown) return;
    shown = Number(event.lastEventId);
    const trace = document.getElementById("trace");
    if (!trace) return;
    const down = trace.scrollTop + trace.clientHeight >= trace.scrollHeight - 4;
    trace.append(`${JSON.parse(event.data)}\n`);
    if (down) trace.scrollTop = trace.scrollHeight;
  });
  source.addEventListener("turn", (event) => {
    if (Number(event.lastEventId) <= shown) return;
    shown = Number(event.lastEventId);
    swap(location.href, "panel");
  });
  source.addEventListener("error", () => lost(true));
  source.addEventListener("open", () => lost(false));
}

function lost(isLost) {
  document.getElementById("lost")?.toggleAttribute("hidden", !isLost);
}

// Times in the reader's own zone.
for (const each of document.querySelectorAll("time")) {
  const told = { dateStyle: "medium", timeStyle: "short" };
  each.textContent = new Date(each.dateTime).toLocaleString(undefined, told);
}

// A verdict: its key presses the button of its name, while no document is open beside.
document.addEventListener("keydown", (event) => {
  if (typing(event)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const beside = document.getElementById("beside");
  if (event.key === "Escape") beside?.replaceChildren();
  if (beside?.hasChildNodes()) return; // the keys are the document's: `n` is its next hit, and no "No"
  const review = document.getElementById("review");
  if (review && event.key === "t") {
    event.preventDefault();
    document.getElementById("note").focus();
    return;
  }
  const button = review?.querySelector(`button[value="${CSS.escape(event.key)}"]`);
  if (button) {
    event.preventDefault();
    button.click();
  }
});

document.addEventListener("selectionchange", () => {
  const said = getSelection();
  const field = document.getElementById("words");
  if (!field || said.isCollapsed || !said.anchorNode.parentElement.closest("#passage, #document")) return;
  field.value = said;
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form.review")) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  if (form.contains(document.activeElement)) document.activeElement.blur();
  fetch(form.action, { method: "POST", body: new URLSearchParams(body) }).then((answer) => {
    if (answer.ok) return;
    swap(location.href, "panel").then(() => {
      document.querySelector(".status").textContent = "The last key came before its passage: it was not taken.";
    });
  }, () => lost(true));
});

// The items of an answer, found and sorted by the server while one types.
let asked = 0;
function found(event) {
  const form = event.target.closest("form[data-live]");
  if (!form) return;
  const url = `${form.action}?${new URLSearchParams(new FormData(form))}`;
  const mine = ++asked;
  part(url, "items").then((fresh) => {
    if (mine !== asked || !fresh) return;
    document.getElementById("items").replaceWith(fresh);
    history.replaceState(null, "", url);
  });
}
document.addEventListener("input", found);

// The source beside the answer, where there is room for both.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.source");
  const beside = document.getElementById("beside");
  if (!link || !beside || event.ctrlKey || event.metaKey || innerWidth < 1120) return;
  event.preventDefault();
  showBeside(link.href);
});

let looked = 0;
function showBeside(url) {
  const beside = document.getElementById("beside");
  const mine = ++looked;
  part(url, "document").then((text) => {
    if (mine !== looked) return;
    const close = document.createElement("button");
    close.textContent = "Close";
    close.addEventListener("click", () => beside.replaceChildren());
    const bar = document.createElement("div");
    bar.className = "shut";
    bar.append(close);
    beside.replaceChildren(bar, text);
    beside.focus({ preventScroll: true });
    const mark = beside.querySelector(".here");
    const [top, height] = [beside.getBoundingClientRect().top, beside.clientHeight];
    if (mark) beside.scrollTop += mark.getBoundingClientRect().top - top - height / 3;
  });
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("#beside form.within")) return;
  event.preventDefault();
  showBeside(`${form.action}?${new URLSearchParams(new FormData(form))}`);
});

// In a document: from one piece of evidence to the next.
const quote = (by) => document.querySelector(`#document a[data-by="${by}"]`)?.click();
KEYS["/"] = () => {
  const within = document.querySelector("#document input[type=search]");
  (within ?? document.querySelector("input[type=search]"))?.focus();
};
KEYS.n = () => quote(1);
KEYS.p = () => quote(-1);

document.querySelector("#document .here")?.scrollIntoView({ block: "center" });
showSought();
follow();

// A browser has six connections for a server: a page that nobody looks at needs none.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    source?.close();
    source = null;
  } else if (document.querySelector("[data-feed]")) swap(location.href, "panel");
});

// What takes a while is begun once; what compares needs something to compare.
document.addEventListener("submit", (event) => {
  if (!event.defaultPrevented && event.target.method === "post")
    setTimeout(() => event.submitter?.setAttribute("disabled", ""));
});
addEventListener("pageshow", () => {
  for (const each of document.querySelectorAll("button[disabled]")) each.disabled = false;
  comparable();
});
function comparable() {
  const form = document.querySelector("form[action$=compare]");
  if (form) form.querySelector("button").disabled = !form.querySelector("input:checked");
}
document.addEventListener("change", comparable);
