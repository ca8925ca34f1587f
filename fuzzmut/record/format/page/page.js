"use strict";
(() => {
  const form = document.getElementById("filters");
  const findings = [...document.querySelectorAll(".finding")];
  const fields = form ? form.elements : null;

  // The source of a file is the text of a noscript element until the file is opened: a large page
  // opens soon, and without scripts all of it is there.
  const files = [...document.querySelectorAll(".file")].map((details) => ({details, source: details.querySelector("noscript"), mutants: null}));
  const markup = /<li id="([^"]*)" class="(\w)" data-o="(\d+)" data-f="(\d+)">(.*?)<\/li>/gs;
  const mutantsOf = (file) => file.mutants ??= [...file.source.textContent.matchAll(markup)].map(
    ([, id, status, operator, fn, html]) => ({id, status, operator, fn, html, file, fits: true, text: null}));
  let every = null;
  const all = () => every ??= files.flatMap(mutantsOf);

  // show hides the mutants of an opened file that do not fit the filters.
  const show = (file) => {
    file.details.querySelectorAll("li[data-o]").forEach((li, i) => { li.hidden = !file.mutants[i].fits; });
    for (const line of file.details.querySelectorAll(".l")) {
      const off = [...line.lastElementChild.children].every((li) => li.hidden);
      line.classList.toggle("off", off);
      if (off) line.open = false;
    }
  };
  const build = (file) => {
    if (!file.source) return;
    mutantsOf(file);
    file.source.outerHTML = file.source.textContent;
    file.source = null;
    if (file.mutants.some((m) => !m.fits)) show(file);
  };
  for (const file of files) {
    file.details.addEventListener("toggle", () => { if (file.details.open) build(file); });
  }

  // reveal opens what a part of the page is in, and shows it.
  const reveal = (target) => {
    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
    target.scrollIntoView({block: "center"});
  };
  const find = (id) => {
    if (!document.getElementById(id)) {
      const m = all().find((m) => m.id === id);
      if (m) build(m.file);
    }
    return document.getElementById(id);
  };
  const follow = () => {
    const target = location.hash && find(decodeURIComponent(location.hash.slice(1)));
    if (target) reveal(target);
  };
  addEventListener("hashchange", follow);
  follow();

  // Printing shows the changes of all findings.
  addEventListener("beforeprint", () => {
    for (const d of document.querySelectorAll(".card details")) d.open = true;
  });
  if (!form) return;

  // textOf is the text of a mutant as a reader sees it, in small letters.
  const marks = {lt: "<", gt: ">", amp: "&"};
  const textOf = (m) => m.text ??= m.html.replace(/<[^>]*>/g, "").replace(/&(?:#(\d+)|(\w+));/g,
    (_, code, name) => code ? String.fromCodePoint(code) : marks[name]).toLowerCase();

  const apply = () => {
    const statuses = new Set([...form.querySelectorAll("[name=status]:checked")].map((box) => box.value));
    const operator = fields.operator.value, name = fields.file.value, fn = fields.function.value;
    const text = fields.text.value.trim().toLowerCase();
    const shown = new Set();
    for (const file of files) {
      const before = shown.size;
      for (const m of mutantsOf(file)) {
        m.fits = (!name || file.details.id === name) && statuses.has(m.status) && (!operator || m.operator === operator) &&
          (!fn || m.fn === fn) && (!text || textOf(m).includes(text));
        if (m.fits) shown.add(m.id);
      }
      file.details.hidden = shown.size === before;
      if (!file.source) show(file);
    }
    for (const f of findings) f.hidden = !shown.has(f.dataset.m);
    fields.shown.value = shown.size.toLocaleString("en") + " of " + all().length.toLocaleString("en") + " mutants";
  };
  const only = (wanted) => {
    for (const box of form.querySelectorAll("[name=status]")) box.checked = !wanted || box.value === wanted;
    apply();
  };
  let waiting = 0;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  });
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());

  // step goes to the next mutant that is shown, or to the one before.
  let current = -1;
  const step = (by) => {
    const list = all();
    for (let n = 0; n < list.length; n++) {
      current = (current + by + list.length) % list.length;
      if (!list[current].fits) continue;
      const li = find(list[current].id);
      reveal(li);
      li.tabIndex = -1;
      li.focus({preventScroll: true});
      return;
    }
  };
  const toggle = () => {
    const at = document.activeElement.closest(".file") || files.map((file) => file.details).find((details) => !details.hidden);
    if (at) { at.open = !at.open; at.firstElementChild.focus(); }
  };
  const keys = {
    "/": () => fields.text.focus(), n: () => step(1), p: () => step(-1), o: toggle, s: () => only("s"), r: () => form.reset(),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox";
    if (event.key === "Escape" && form.contains(event.target)) { event.target.blur(); return; }
    if (typing || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  form.hidden = false;
  const few = 200000; // letters of a source that is opened without being asked for
  if (files.length === 1 && files[0].source?.textContent.length < few) {
    build(files[0]);
    files[0].details.open = true;
  }
})();
