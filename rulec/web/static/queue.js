"use strict";
// The queue with single keys. They do nothing while a person types in a field, with another key held, or turned off.
(() => {
  const rows = () => [...document.querySelectorAll(".waiting")];
  const current = () => document.activeElement?.closest(".waiting") || document.querySelector(".waiting[aria-current]");
  const say = (text) => {
    const told = document.getElementById("told");
    if (told) told.textContent = text;
  };

  const mark = (row) => {
    for (const one of rows()) if (one !== row) one.removeAttribute("aria-current");
    row.setAttribute("aria-current", "true");
  };

  let opening = 0;
  const go = (row) => {
    if (!row) return;
    mark(row);
    const link = row.querySelector("[data-open]");
    (link || row.querySelector("button"))?.focus();
    row.scrollIntoView({ block: "nearest" });
    clearTimeout(opening);
    if (link && !row.querySelector(".candidate")) {
      opening = setTimeout(() => row.isConnected && !row.querySelector(".candidate") && link.click(), 150);
    }
  };

  const move = (step) => {
    const all = rows();
    const at = all.indexOf(current());
    go(all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + step))]);
  };

  let pending = "";
  const ready = () => {
    for (const card of document.querySelectorAll(".candidate")) card.dataset.ready = "yes";
    const key = pending;
    pending = "";
    if (key) press(key);
  };

  const press = (key) => {
    const row = current() || rows()[0];
    if (!row) return;
    mark(row);
    const card = document.activeElement?.closest(".candidate") || row.querySelector(".candidate");
    if (!card) {
      go(row);
      say("The card is being opened: read it, then press the key again.");
      return;
    }
    if (!card.dataset.ready) {
      pending = key; // it is there, but its buttons do not work yet
      return;
    }
    const button = card.querySelector(`[data-key="${key}"]`);
    if (button && !button.disabled) button.click();
    else if (!button) say("This candidate does not offer that.");
  };

  const take = (wanted) => {
    const row = current();
    const select = row?.querySelector("select[name=taken]");
    const fitting = select ? [...select.options].filter((one) => wanted(one.value) && !one.selected) : [];
    if (!fitting.length) {
      say("This candidate does not offer that.");
      return;
    }
    const later = fitting.find((one) => one.index > select.selectedIndex);
    select.value = (later || fitting[0]).value;
    select.form.requestSubmit();
    go(row);
  };

  const KEYS = {
    j: () => move(1),
    k: () => move(-1),
    n: () => take((value) => value === "new"),
    m: () => take((value) => value.startsWith("merge:")),
    "?": () => {
      const keys = document.getElementById("keys");
      if (!keys) return;
      keys.open = !keys.open;
      keys.querySelector("summary").focus();
    },
  };
  for (const key of ["a", "e", "r", "l"]) KEYS[key] = () => press(key);

  const isOff = () => localStorage.getItem("rulec queue keys") === "off";
  document.addEventListener("keydown", (event) => {
    const field = event.target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]");
    if (event.key === "Escape" && field) return void field.closest(".waiting")?.querySelector("[data-open], [data-key]")?.focus();
    if (field || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isOff()) return;
    if (event.repeat && !["j", "k"].includes(event.key)) return;
    const act = Object.hasOwn(KEYS, event.key) && KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  const showSetting = () => {
    const box = document.getElementById("keys-on");
    if (box) box.checked = !isOff();
  };
  document.addEventListener("change", (event) => {
    if (event.target.id === "keys-on") localStorage.setItem("rulec queue keys", event.target.checked ? "on" : "off");
  });
  document.addEventListener("focusin", (event) => {
    const row = event.target.closest(".waiting");
    if (row) mark(row);
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-again]")) document.getElementById("queue")?.dispatchEvent(new CustomEvent("again"));
    const editing = event.target.closest("[data-close]")?.closest(".editing");
    if (editing) {
      const back = editing.closest(".candidate").querySelector("[data-key=e]");
      editing.replaceChildren();
      back?.focus();
    }
  });

  // Who is at a candidate stays there when the list is read again.
  let stayed = "";
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id === "queue") stayed = current()?.id || "";
  });
  document.addEventListener("htmx:afterSettle", () => {
    const row = stayed && document.getElementById(stayed);
    stayed = "";
    if (row) document.activeElement === document.body ? go(row) : mark(row);
  });

  // After a decision the focus goes to what stands there next.
  let decided = -1;
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { requestConfig, target, isError } = event.detail;
    decided = !isError && requestConfig?.path.endsWith("/decide") ? rows().indexOf(target) : -1;
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (decided < 0 || !event.detail.requestConfig.path.endsWith("/decide")) return;
    const all = rows(); // where it is still there, left for later, the next one is behind it
    const at = decided + (all[decided]?.querySelector(".later") ? 1 : 0);
    decided = -1;
    const list = document.getElementById("queue");
    if (all.length) go(all[Math.min(at, all.length - 1)]);
    else if (list) list.dispatchEvent(new CustomEvent("again"));
    else document.getElementById("main").focus();
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const path = (event.detail.requestConfig?.path || "").split("?")[0];
    if (path.endsWith("/edit")) document.activeElement?.closest(".waiting")?.querySelector(".editing textarea")?.focus();
    showSetting();
    ready();
  });
  showSetting();
  addEventListener("load", ready);
})();
