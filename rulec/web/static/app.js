"use strict";
// What every page shares. Acts are signed by a key that never leaves this browser; see rulec/web/access.py.

const signing = (() => {
  const KIND = { name: "ECDSA", namedCurve: "P-256" };
  const HASH = { name: "ECDSA", hash: "SHA-256" };

  const opened = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  const store = async () => {
    const request = indexedDB.open("rulec", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("keys");
    return opened(request);
  };

  // One key for all tabs: of two tabs that make one at once, the first that stores it wins.
  const load = async () => {
    const database = await store();
    const read = () => opened(database.transaction("keys").objectStore("keys").get("page"));
    const known = await read();
    if (known) return known;
    const made = await crypto.subtle.generateKey(KIND, false, ["sign", "verify"]);
    try {
      await opened(database.transaction("keys", "readwrite").objectStore("keys").add(made, "page"));
    } catch (error) {
      if (error.name !== "ConstraintError") throw error;
    }
    return read();
  };

  let loading;
  const pair = () => (loading ||= load());

  const base64 = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "");

  const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  const publicKey = async () => base64(await crypto.subtle.exportKey("raw", (await pair()).publicKey));

  const headersFor = async (method, target, body) => {
    const encoder = new TextEncoder();
    const digest = hex(await crypto.subtle.digest("SHA-256", encoder.encode(body)));
    const seconds = String(Math.floor(Date.now() / 1000));
    const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
    const text = ["rulec act", method, location.origin, target, digest, seconds, nonce].join("\n");
    const signature = await crypto.subtle.sign(HASH, (await pair()).privateKey, encoder.encode(text));
    return { "X-Rulec-Signature": base64(signature), "X-Rulec-Seconds": seconds, "X-Rulec-Nonce": nonce };
  };

  return { publicKey, headersFor };
})();

{
  // An act follows from something that the person did just now in this page; one gesture is worth one act.
  const GESTURES = ["click", "keydown", "input", "change", "drop"];
  const MILLISECONDS = 5000;
  let gesture = -Infinity;

  for (const name of GESTURES) {
    window.addEventListener(
      name,
      (event) => {
        if (event.isTrusted) gesture = performance.now();
      },
      true,
    );
  }

  const tell = (text) => {
    const told = document.getElementById("told");
    if (told) told.textContent = text;
  };

  const isAct = (verb) => !["get", "head"].includes(verb.toLowerCase());

  document.addEventListener("htmx:confirm", (event) => {
    if (!isAct(event.detail.verb)) return;
    if (performance.now() - gesture > MILLISECONDS) {
      event.preventDefault();
      tell("Nothing was done: an act needs a click or a key.");
    }
    gesture = -Infinity;
  });

  // Whether an act was carried out cannot be known where no answer came.
  document.addEventListener("htmx:sendError", (event) => {
    const acts = isAct(event.detail.requestConfig.verb);
    tell(`No answer: does rulec ui still run?${acts ? " Load the page again to see whether it was done." : ""}`);
  });

  document.addEventListener("htmx:targetError", () => tell("This part of the page cannot be shown: a bug of rulec."));

  // A form that htmx does not know yet, as in the moment after it was put there, would leave the page unsigned.
  const given = new WeakSet();
  window.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.hasAttribute("hx-post")) return;
    event.preventDefault();
    if (given.has(form)) return;
    given.add(form);
    htmx.process(form);
    const { submitter } = event;
    setTimeout(() => form.isConnected && form.requestSubmit(submitter)); // none can be sent within its own event
  });

  // Signs what is really sent: the body as htmx wrote it, just before it leaves.
  document.addEventListener("htmx:beforeSend", (event) => {
    const { xhr, requestConfig, pathInfo } = event.detail;
    if (!isAct(requestConfig.verb)) return;
    const url = new URL(pathInfo.finalRequestPath, location.href);
    xhr.send = (body) => {
      const text = body || "";
      if (typeof text !== "string") {
        tell("Nothing was done: files cannot be sent.");
        xhr.abort();
        return;
      }
      signing
        .headersFor(requestConfig.verb.toUpperCase(), url.pathname + url.search, text)
        .then((headers) => {
          if (xhr.readyState !== XMLHttpRequest.OPENED) return;
          for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
          XMLHttpRequest.prototype.send.call(xhr, text);
        })
        .catch((error) => {
          tell(`Nothing was done: this browser cannot sign (${error.message}).`);
          xhr.abort();
        });
    };
  });
}
