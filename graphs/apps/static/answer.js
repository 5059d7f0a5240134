"use strict";
// The items of an answer: find and sort them where all are in the page; the keyboard everywhere.

function findable(list) {
  const items = [...list.children];
  const bar = document.createElement("p");
  bar.className = "row";
  bar.innerHTML =
    '<label class="wide-field">Find<input type="search" class="find"></label>' +
    '<label>Order<select><option value="">as found</option><option value="name">by name</option></select></label>' +
    '<span class="soft" aria-live="polite"></span>';
  const [find, order, told] = [bar.querySelector("input"), bar.querySelector("select"), bar.querySelector("span")];
  const name = (item) => item.querySelector(".name").textContent;
  find.addEventListener("input", () => {
    const sought = find.value.toLowerCase();
    let shown = 0;
    for (const item of items) {
      item.hidden = !item.textContent.toLowerCase().includes(sought);
      shown += !item.hidden;
    }
    told.textContent = sought ? `${shown} of ${items.length}` : "";
  });
  order.addEventListener("change", () => {
    const sorted = order.value ? [...items].sort((a, b) => name(a).localeCompare(name(b))) : items;
    list.append(...sorted);
  });
  list.before(bar);
}

function step(selector, by) {
  const all = [...document.querySelectorAll(selector)].filter((each) => each.offsetParent !== null);
  const at = all.indexOf(document.activeElement);
  const next = all[Math.min(Math.max(at + by, 0), all.length - 1)];
  if (next) next.focus();
}

function openAll() {
  const items = [...document.querySelectorAll("details.item")];
  const open = items.some((each) => !each.open);
  for (const each of items) each.open = open;
}

const KEYS = {
  "/": () => document.querySelector("input[type=search]")?.focus(),
  j: () => step("details.item > summary", 1),
  k: () => step("details.item > summary", -1),
  e: openAll,
};

function typing(event) {
  return event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select");
}

document.addEventListener("keydown", (event) => {
  if (typing(event) || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});

addEventListener("beforeprint", () => {
  for (const each of document.querySelectorAll("details")) each.open = true;
});

for (const list of document.querySelectorAll(".items:not([data-paged])")) {
  if (list.children.length > 1) findable(list);
}
