"use strict";
(() => {
  const form = document.getElementById("filters");
  const all = [...document.querySelectorAll(".src li")];
  const lines = [...document.querySelectorAll(".src .l")];
  const files = [...document.querySelectorAll(".file")];
  const findings = [...document.querySelectorAll(".finding")];
  const fields = form ? form.elements : null;

  // reveal opens what a part of the page is in, and shows it.
  const reveal = (target) => {
    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
    target.scrollIntoView({block: "center"});
  };
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) reveal(target);
  };
  addEventListener("hashchange", follow);
  follow();

  // Printing shows the changes of all findings.
  addEventListener("beforeprint", () => {
    for (const d of document.querySelectorAll(".card details")) d.open = true;
  });
  if (!form) return;

  const apply = () => {
    const statuses = new Set([...form.querySelectorAll("[name=status]:checked")].map((box) => box.value));
    const operator = fields.operator.value, file = fields.file.value, fn = fields.function.value;
    const text = fields.text.value.trim().toLowerCase();
    const shown = new Set();
    let count = 0;
    for (const f of files) {
      let inFile = 0;
      for (const line of f.querySelectorAll(".l")) {
        let inLine = 0;
        for (const li of line.lastElementChild.children) {
          const fits = (!file || f.id === file) && statuses.has(li.className) && (!operator || li.dataset.o === operator) &&
            (!fn || li.dataset.f === fn) && (!text || li.textContent.toLowerCase().includes(text));
          li.hidden = !fits;
          if (fits) { inLine++; shown.add(li.id); }
        }
        line.classList.toggle("off", inLine === 0);
        if (inLine === 0) line.open = false;
        inFile += inLine;
      }
      f.hidden = inFile === 0;
      count += inFile;
    }
    for (const f of findings) f.hidden = !shown.has(f.dataset.m);
    fields.shown.value = count.toLocaleString("en") + " of " + all.length.toLocaleString("en") + " mutants";
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
    for (let n = 0; n < all.length; n++) {
      current = (current + by + all.length) % all.length;
      const li = all[current];
      if (li.hidden) continue;
      reveal(li);
      li.tabIndex = -1;
      li.focus({preventScroll: true});
      return;
    }
  };
  const toggle = () => {
    const at = document.activeElement.closest(".file") || files.find((f) => !f.hidden);
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
  fields.shown.value = all.length.toLocaleString("en") + " mutants";
  if (files.length === 1) files[0].open = true;
})();
