"use strict";
// The page works without this file; with it, answers come while a form is filled in.

const part = async (address, options = {}) => {
  const headers = { ...(options.headers || {}), "X-Part": "yes" };
  const answer = await fetch(address, { ...options, headers });
  return answer.text();
};

const show = (place, text) => {
  place.innerHTML = text;
  place.classList.remove("busy");
  equip(place);
};

const query = (form) => {
  const fields = new URLSearchParams(new FormData(form));
  for (const [name, value] of [...fields]) if (value === "") fields.delete(name);
  return fields.toString();
};

// A live form: #answer at once, #more when nothing was typed for a moment.
const live = (form) => {
  const answer = document.getElementById("answer");
  const more = document.getElementById("more");
  let waiting = 0, later = 0, turn = 0;
  const ask = async () => {
    const mine = ++turn, words = query(form);
    answer.classList.add("busy");
    if (more) more.classList.add("busy");
    const sends = form.method === "post";
    const text = sends
      ? await part(form.dataset.live, { method: "POST", body: new URLSearchParams(words) })
      : await part(`${form.dataset.live}?${words}`);
    if (mine !== turn) return;
    show(answer, text);
    if (!sends) history.replaceState(null, "", `${form.getAttribute("action")}?${words}`);
    clearTimeout(later);
    if (!more) return;
    if (answer.querySelector("[role=alert]")) return show(more, "");
    later = setTimeout(async () => {
      const longer = await part(`${form.dataset.more}?${words}`);
      if (mine === turn) show(more, longer);
    }, 250);
  };
  form.addEventListener("input", (event) => {
    if (event.target.dataset.reload !== undefined) return;
    clearTimeout(waiting);
    waiting = setTimeout(ask, Number(form.dataset.wait || 150));
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
  ask();
};

const equip = (place) => {
  for (const button of place.querySelectorAll("[data-copy]")) {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }
  for (const slider of place.querySelectorAll("[data-slides]")) {
    const field = document.getElementById(slider.dataset.slides);
    const follow = () => { slider.value = Math.log2(Number(field.value)) || 0; };
    slider.hidden = false;
    follow();
    field.addEventListener("input", follow);
    slider.addEventListener("input", () => {
      field.value = Number((2 ** Number(slider.value)).toPrecision(3));
    });
  }
};

for (const choice of document.querySelectorAll("[data-reload]")) {
  choice.addEventListener("change", () => {
    for (const field of [...choice.form.elements]) {
      if (field.name.startsWith("o.")) field.disabled = true;
    }
    for (const field of choice.form.querySelectorAll("[data-slides]")) field.disabled = true;
    window.location.assign(`${choice.form.getAttribute("action")}?${query(choice.form)}`);
  });
}
for (const form of document.querySelectorAll("form[data-live]")) live(form);
equip(document);

// The viewer: a file goes to this machine's own server as it is, and nowhere else.
const zone = document.getElementById("drop");
if (zone) {
  const send = async (file) => {
    const place = document.getElementById("shown");
    place.classList.add("busy");
    const name = file.name.replace(/[^\x20-\x7e]/g, "_");
    const headers = { "Content-Type": "application/octet-stream", "X-Name": name };
    show(place, await part(zone.dataset.send, { method: "POST", body: file, headers }));
  };
  zone.hidden = false;
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (event.dataTransfer.files.length) send(event.dataTransfer.files[0]);
  });
  document.getElementById("pick").addEventListener("change", (event) => {
    if (event.target.files.length) send(event.target.files[0]);
  });
}

// The schema editor: only the fields that fit the chosen kind.
for (const column of document.querySelectorAll("[data-column]")) {
  const kind = column.querySelector("[data-kind]");
  const fit = () => {
    for (const field of column.querySelectorAll("[data-for]")) {
      field.hidden = !field.dataset.for.split(" ").includes(kind.value);
    }
  };
  kind.addEventListener("change", fit);
  fit();
}
for (const choice of document.querySelectorAll("[data-ledger]")) {
  const more = document.querySelector("[data-new]");
  const fit = () => { more.hidden = choice.value !== choice.dataset.ledger; };
  choice.addEventListener("change", fit);
  fit();
}
for (const form of document.querySelectorAll("form[data-once]")) {
  form.addEventListener("submit", () => { form.querySelector("button").disabled = true; });
}

// Choices that answer at once, and forms that take a while.
for (const choice of document.querySelectorAll("select[data-at-once]")) {
  choice.addEventListener("change", () => choice.form.submit());
}
for (const form of document.querySelectorAll("form[data-busy]")) {
  form.addEventListener("submit", () => {
    const button = form.querySelector("button");
    button.disabled = true;
    button.textContent = "Working ...";
  });
}
