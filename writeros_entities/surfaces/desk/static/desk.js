"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  document.documentElement.classList.add("script");

  // -- Pages are swapped in place: what has the focus, and where one reads, stays. ---------------

  let swaps = 0;
  let isGoing = false; // to another page, which what is new here must not hold up
  async function swap(address, options = {}) {
    const own = ++swaps;
    isGoing = !options.stays;
    const slow = setTimeout(() => { byId("progress").textContent = "One moment …"; }, 300);
    const answer = await fetch(address, options.form ? { method: "POST", body: options.form } : {}).catch(() => null);
    clearTimeout(slow);
    if (own === swaps) isGoing = false;
    if (!answer) {
      byId("news").className = "gone";
      byId("news").textContent = "The desk does not answer. Is “writeros-entities desk” still running?";
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (own !== swaps) return;
    const open = new Set([...document.querySelectorAll("details")].map((one, at) => (one.open ? at : -1)));
    const focused = document.activeElement;
    const at = items().indexOf(chosen());
    const [id, key, kept] = [focused.id, focused.dataset.key, options.stays && chosen()?.id];
    document.title = page.title;
    document.body.className = page.body.className;
    known = page.body.dataset.changes ?? known;
    const typed = focused.matches("input:not([type=range], [type=checkbox])") ? focused.value : null;
    document.body.replaceChildren(...page.body.childNodes);
    if (options.stays) document.querySelectorAll("details").forEach((one, place) => { one.open ||= open.has(place); });
    const again = id ? byId(id) : key ? document.querySelector(`[data-key="${CSS.escape(key)}"]`)
      : focused.name && document.querySelector(`main [name="${CSS.escape(focused.name)}"]`);
    if (again) {
      again.focus({ preventScroll: true });
      if (typed !== null && options.stays) again.value = typed;
    }
    if (!options.stays && (answer.ok || !options.form)) {
      const { hash } = new URL(options.form?.get("back") ?? address, location.href);
      history.pushState(null, "", answer.url + hash);
      const isShown = (!options.quiet || options.form) && showPlace();
      if (!options.quiet) {
        if (!isShown) scrollTo(0, 0);
        if (!again) byId("main").focus({ preventScroll: true });
      }
    }
    begin(at, kept);
    if (isStale && !options.stays) changed();
  }

  // A line inside a paragraph is shown by the paragraph.
  function showPlace() {
    const id = decodeURIComponent(location.hash.slice(1));
    const line = Number(id.replace("line-", ""));
    const found = id && (byId(id) ||
      [...document.querySelectorAll("[id^=line-]")].filter((one) => Number(one.id.slice(5)) <= line).pop());
    if (!found) return false;
    found.classList.add("here");
    found.scrollIntoView({ block: "center" });
    return true;
  }

  let known = document.body.dataset.changes;
  let isStale = false;
  function changed() {
    if (document.querySelector("iframe")) return; // a graph stays as one has moved it
    isStale = document.hidden || isGoing || byId("keys")?.open;
    if (!isStale) swap(location.href, { stays: true });
  }
  document.addEventListener("visibilitychange", () => { if (!document.hidden && isStale) changed(); });
  const events = new EventSource("/events");
  events.addEventListener("progress", (event) => { byId("progress").textContent = event.data; });
  events.addEventListener("message", (event) => {
    if (event.data === known) return;
    known = event.data;
    changed();
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method === "dialog") return;
    event.preventDefault();
    const given = new URLSearchParams(new FormData(form, event.submitter));
    if (form.method === "post") swap(form.action, { form: given, quiet: true });
    else swap(`${form.getAttribute("action")}?${given}`, { quiet: form.id === "asof" });
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || link.origin !== location.origin || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (link.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    swap(link.href, { quiet: link.classList.contains("m") });
  });
  addEventListener("popstate", () => swap(location.href, { stays: true }));
  document.addEventListener("change", ({ target }) => { if (target.id === "step") target.form.requestSubmit(); });

  // -- Keys --------------------------------------------------------------------------------------

  const items = () => [...document.querySelectorAll(".item")];
  const chosen = () => document.querySelector(".item.on");

  function choose(at, scroll = true) {
    const all = items();
    const one = all[Math.min(Math.max(at, 0), all.length - 1)];
    all.forEach((other) => other.classList.toggle("on", other === one));
    if (one && scroll) one.scrollIntoView({ block: "nearest" });
  }

  // Where one reads, nothing is chosen before one says so: a key must not answer by mistake.
  function begin(at, id) {
    const place = items().findIndex((one) => (id ? one.id === id : one.matches(".here")));
    if (at >= 0 || document.querySelector("main .page")) choose(Math.max(place < 0 ? at : place, 0), false);
  }

  function told(element) {
    return element.getAttribute("aria-label") || element.placeholder ||
      [...element.childNodes].filter((one) => !["KBD", "I", "CODE"].includes(one.nodeName)).map((one) => one.textContent).join(" ").trim();
  }

  function showKeys() {
    const list = document.querySelector("#keys dl");
    const known = new Map();
    if (items().length) known.set("j", "The next one").set("k", "The one before");
    for (const one of document.querySelectorAll("[data-key]")) {
      const inside = one.closest(".item");
      if (inside && inside !== chosen()) continue;
      if (!known.has(one.dataset.key)) known.set(one.dataset.key, told(one));
    }
    list.replaceChildren(...[...known].flatMap(([key, text]) => {
      const [name, what, mark] = ["dt", "dd", "kbd"].map((tag) => document.createElement(tag));
      mark.textContent = key;
      name.append(mark);
      what.textContent = text;
      return [name, what];
    }));
    byId("keys").showModal();
  }

  document.addEventListener("keydown", (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || byId("keys")?.open) return;
    if (event.target.matches("input:not([type=range]), textarea, select")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const key = event.key;
    if ((key === "j" || key === "k") && items().length) {
      event.preventDefault();
      choose(items().indexOf(chosen()) + (key === "j" ? 1 : -1));
      return;
    }
    const selector = `[data-key="${CSS.escape(key)}"]`;
    const found = chosen()?.querySelector(selector) ||
      [...document.querySelectorAll(selector)].find((one) => !one.closest(".item"));
    if (!found) return;
    event.preventDefault();
    if (found.matches("input")) { found.focus(); found.select(); } else found.click();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.id === "show-keys") showKeys();
    if (button.dataset.step) {
      const slider = byId("step");
      slider.value = String(Number(slider.value) + Number(button.dataset.step));
      slider.form.requestSubmit();
    }
    if (button.dataset.copy) {
      navigator.clipboard.writeText(byId(button.dataset.copy).textContent);
      byId("news").textContent = "Copied.";
    }
  });

  // -- The order of chapters, by dragging ----------------------------------------------------------

  let dragged = null;
  document.addEventListener("dragstart", (event) => { dragged = event.target.closest?.("#order > li"); });
  document.addEventListener("dragover", (event) => {
    const over = event.target.closest?.("#order > li");
    if (!dragged || !over || over === dragged) return;
    event.preventDefault();
    const box = over.getBoundingClientRect();
    if (event.clientY < box.top + box.height / 2) over.before(dragged); else over.after(dragged);
  });
  document.addEventListener("dragend", () => {
    const [one, before] = [dragged, dragged?.previousElementSibling];
    dragged = null;
    if (!one) return;
    const [template, own] = [byId("order").dataset.after, one.dataset.link];
    const [a, b] = before ? [own, before.dataset.link] : [one.nextElementSibling?.dataset.link, own];
    if (!a || !b) return;
    const line = template.replace("{a}", () => a).replace("{b}", () => b);
    swap(`/decide?${new URLSearchParams({ line, back: `${location.pathname}${location.search}#${one.id}` })}`);
  });

  showPlace();
  begin(-1);
})();
