"use strict";
// Parts of a page with data-live="ledger queue plan rules" are read again when the mark of one of these changes: htmx
// waits for the event "live" there. Nothing is replaced while a person types in it.
(() => {
  const MILLISECONDS = 1000;
  const soon = new Map();
  let marks = JSON.parse(document.body.dataset.marks || "{}");
  let waiting = 0;

  const isTyped = (field) =>
    field === document.activeElement ||
    (field.type === "checkbox" || field.type === "radio"
      ? field.checked !== field.defaultChecked
      : field.tagName === "SELECT"
        ? [...field.options].some((one) => one.defaultSelected) && [...field.options].some((one) => one.selected !== one.defaultSelected)
        : field.value !== field.defaultValue);
  const isBusy = (part) =>
    part.matches(".htmx-request") || part.querySelector(".htmx-request, dialog[open], .candidate") !== null ||
    [...part.querySelectorAll("input:not([type=hidden]), textarea, select")].some(isTyped);

  const refresh = (part) => {
    clearTimeout(soon.get(part));
    soon.delete(part);
    if (!part.isConnected) return;
    if (isBusy(part)) soon.set(part, setTimeout(refresh, 1000, part));
    else part.dispatchEvent(new CustomEvent("live")); // it does not bubble: parts around it stay
  };

  const say = (connected) => {
    const state = document.getElementById("live-state");
    if (state) state.hidden = connected;
  };
  const ask = async () => {
    const answer = await fetch("/changes", { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.statusText);
    const now = await answer.json();
    const changed = Object.keys(now).filter((topic) => now[topic] !== marks[topic]);
    marks = now;
    for (const part of document.querySelectorAll("[data-live]")) {
      if (part.dataset.live.split(" ").some((topic) => changed.includes(topic))) refresh(part);
    }
  };
  // Only tabs that can be seen ask.
  const follow = () => {
    clearTimeout(waiting);
    if (document.hidden) return;
    ask().then(() => say(true), () => say(false)).finally(() => { waiting = setTimeout(follow, MILLISECONDS); });
  };
  document.addEventListener("visibilitychange", follow);
  addEventListener("pagehide", () => clearTimeout(waiting));
  addEventListener("pageshow", (event) => event.persisted && follow());

  // What a person opened stays open when its part is read again.
  let opened = [];
  document.addEventListener("htmx:beforeSwap", (event) => {
    opened = [...event.detail.target.querySelectorAll("details[open][id]")].map((one) => one.id);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const name of opened) document.getElementById(name)?.setAttribute("open", "");
  });
  follow();
})();
