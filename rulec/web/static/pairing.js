"use strict";
// The page before the person let this browser in: shows the code that they type at the terminal.
{
  const code = document.getElementById("code");
  const wrong = document.getElementById("wrong");
  const anew = document.getElementById("anew");

  const end = (text) => {
    code.textContent = "";
    wrong.textContent = text;
    anew.hidden = false;
  };

  const wait = async () => {
    const answer = await fetch("/pair", { cache: "no-store" });
    const { state } = await answer.json();
    if (state === "paired") location.reload();
    else if (state === "none") end("The code has ended.");
    else setTimeout(follow, 700);
  };

  const follow = () => wait().catch(() => end("The page does not answer: does rulec ui still run?"));

  const begin = async () => {
    wrong.textContent = "";
    anew.hidden = true;
    const body = new URLSearchParams({ key: await signing.publicKey() }).toString();
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const signed = await signing.headersFor("POST", "/pair", body);
    const answer = await fetch("/pair", { method: "POST", body, headers: { ...headers, ...signed } });
    if (!answer.ok) return end(await answer.text());
    code.textContent = (await answer.json()).code;
    follow();
  };

  const start = () => begin().catch((error) => end(`This browser cannot make a key: ${error.message}`));

  anew.addEventListener("submit", (event) => {
    event.preventDefault();
    start();
  });
  start();
}
