"use strict";
(() => {
  const SECONDS = 1.4;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const steps = all(".step");
  const slider = document.querySelector(".controls input");
  const counter = document.querySelector(".controls output");
  const last = steps.length - 1;
  let now = 0;
  let timer = null;

  const show = (step) => {
    now = Math.max(0, Math.min(last, step));
    for (const element of all("[data-step]")) {
      const is = Number(element.dataset.step) === now;
      element.classList.toggle("now", is);
      if (element.tagName !== "BUTTON") continue;
      if (is) {
        element.setAttribute("aria-current", "step");
        const list = element.closest("nav");
        const top = element.offsetTop - list.offsetTop;
        const below = top + element.offsetHeight - list.clientHeight;
        list.scrollTop = Math.max(below + 10, Math.min(list.scrollTop, top - 10));
      } else {
        element.removeAttribute("aria-current");
      }
    }
    slider.value = now;
    counter.value = `${now} / ${last}`;
    try {
      history.replaceState(null, "", `#${now}`);
    } catch {
      // Some viewers have no addresses.
    }
  };

  const pause = () => {
    clearInterval(timer);
    timer = null;
    document.documentElement.classList.remove("playing");
  };

  const start = () => {
    if (now === last) show(0);
    document.documentElement.classList.add("playing");
    timer = setInterval(() => {
      show(now + 1);
      if (now === last) pause();
    }, 1000 * SECONDS);
  };

  const commands = {
    first: () => show(0),
    back: () => show(now - 1),
    next: () => show(now + 1),
    last: () => show(last),
  };
  const go = (name) => {
    const playing = timer !== null;
    pause();
    if (name !== "play") commands[name]();
    else if (!playing) start();
  };

  document.addEventListener("click", (event) => {
    const command = event.target.closest("[data-go]");
    if (command) {
      go(command.dataset.go);
      return;
    }
    const chosen = event.target.closest("button[data-step], .row[data-step]");
    if (chosen) {
      pause();
      show(Number(chosen.dataset.step));
    }
  });
  slider.addEventListener("input", () => {
    pause();
    show(Number(slider.value));
  });
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
  document.addEventListener("keydown", (event) => {
    const name = keys[event.key];
    const other = [event.altKey, event.ctrlKey, event.metaKey].some(Boolean);
    if (!name || other) return;
    event.preventDefault();
    go(name);
  });
  addEventListener("hashchange", () => show(Number(location.hash.slice(1)) || 0));

  document.documentElement.classList.add("js");
  show(Number(location.hash.slice(1)) || 0);
})();
