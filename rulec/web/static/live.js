"use strict";
// Parts of a page with data-live="ledger queue plan rules" are read again when one of these changes: htmx waits for
// the event "live" there. Nothing is replaced while a person types in it.
(() => {
  const topics = ["ledger", "queue", "plan", "rules", "reload"];
  const soon = new Map();
  let source = null;
  let last = document.body.dataset.liveFrom || "";

  const isTyped = (field) =>
    field === document.activeElement ||
    (field.type === "checkbox" || field.type === "radio"
      ? field.checked !== field.defaultChecked
      : field.tagName === "SELECT"
        ? [...field.options].some((one) => one.defaultSelected) && [...field.options].some((one) => one.selected !== one.defaultSelected)
        : field.value !== field.defaultValue);
  const isBusy = (part) =>
    part.matches(".htmx-request") || part.querySelector(".htmx-request, dialog[open]") !== null ||
    [...part.querySelectorAll("input:not([type=hidden]), textarea, select")].some(isTyped);

  const refresh = (part) => {
    clearTimeout(soon.get(part));
    soon.delete(part);
    if (!part.isConnected) return;
    if (isBusy(part)) soon.set(part, setTimeout(refresh, 1000, part));
    else part.dispatchEvent(new CustomEvent("live")); // it does not bubble: parts around it stay
  };
  const hear = (event) => {
    last = event.lastEventId;
    const parts = event.type === "reload" ? "[data-live]" : `[data-live~="${event.type}"]`;
    for (const part of document.querySelectorAll(parts)) {
      if (!soon.has(part)) soon.set(part, setTimeout(refresh, 100, part)); // many lines at once are one change
    }
  };

  const say = (connected) => {
    const state = document.getElementById("live-state");
    if (state) state.hidden = connected;
  };
  const close = () => { source?.close(); source = null; };
  const open = () => {
    close();
    source = new EventSource(`/events?after=${encodeURIComponent(last)}`);
    for (const topic of topics) source.addEventListener(topic, hear);
    source.addEventListener("open", () => say(true));
    source.addEventListener("error", () => {
      say(false);
      if (source?.readyState === EventSource.CLOSED) setTimeout(follow, 5000);
    });
  };
  // A browser keeps six connections to one server: only tabs that can be seen hold one.
  const follow = () => (document.hidden ? close() : open());
  document.addEventListener("visibilitychange", follow);
  addEventListener("pagehide", close);
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
