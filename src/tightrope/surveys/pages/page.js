// What this page does: it randomizes your answers here, in the browser, once, and posts the
// token of your link, your consent, the randomized responses and a random number by which a
// second try is known to be the same. Nothing else. What was drawn is kept in this browser until
// the server has it, so that a second try or a reload sends the same; your answers never are.

// A uniformly random whole number below `total`, exactly: draws that are too large are discarded.
function uniformBelow(total) {
  const bits = total.toString(2).length;
  const bytes = new Uint8Array(Math.ceil(bits / 8));
  const spare = BigInt(8 * bytes.length - bits);
  for (;;) {
    crypto.getRandomValues(bytes);
    let drawn = 0n;
    for (const byte of bytes) drawn = (drawn << 8n) | BigInt(byte);
    drawn >>= spare;
    if (drawn < total) return drawn;
  }
}

// The position of the response to send: thresholds are the exact cumulative weights of the
// certified design, so each response has exactly the probability that was proved.
function randomize(question, answer) {
  const ends = question.thresholds[answer].map(BigInt);
  const drawn = uniformBelow(ends[ends.length - 1]);
  return ends.findIndex((end) => drawn < end);
}

function shares(question, answer) {
  const ends = question.thresholds[answer].map(BigInt);
  const total = ends[ends.length - 1];
  let before = 0n;
  return ends.map((end) => {
    const share = Number(((end - before) * 1000000n) / total) / 1000000;
    before = end;
    return share;
  });
}

const byId = (id) => document.getElementById(id);
const COLORS = ["#1f4e79", "#b3541e", "#2e6b3e", "#6b3fa0", "#7a6000", "#00707a"];

// ---- the wheel: a toy that sends nothing -------------------------------------------------
const wheel = { question: 0, answer: null, turns: 0, counts: [] };

function sector(from, to) {
  const at = (share) => {
    const angle = 2 * Math.PI * share - Math.PI / 2;
    return `${(100 + 92 * Math.cos(angle)).toFixed(3)} ${(100 + 92 * Math.sin(angle)).toFixed(3)}`;
  };
  if (to - from > 0.999999) return "M 100 8 A 92 92 0 1 1 99.99 8 Z";
  return `M 100 100 L ${at(from)} A 92 92 0 ${to - from > 0.5 ? 1 : 0} 1 ${at(to)} Z`;
}

function drawWheel() {
  const question = SURVEY.questions[wheel.question];
  const disc = byId("disc");
  disc.replaceChildren();
  const parts = shares(question, wheel.answer === null ? 0 : wheel.answer);
  const legend = byId("legend");
  legend.replaceChildren();
  let from = 0;
  parts.forEach((share, z) => {
    if (share > 0) {
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      path.setAttribute("d", sector(from, from + share));
      path.setAttribute("fill", wheel.answer === null ? "#c5ced8" : COLORS[z % COLORS.length]);
      path.setAttribute("stroke", "#ffffff");
      disc.append(path);
    }
    from += share;
    const item = document.createElement("li");
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.backgroundColor = COLORS[z % COLORS.length];
    const name = wheel.answer === null ? "?" : `${(100 * share).toFixed(1).replace(/\.0$/, "")}%`;
    item.append(swatch, `sends “${question.responses[z]}”: ${name}`);
    legend.append(item);
  });
}

function chooseWheel(answer) {
  wheel.answer = answer;
  wheel.counts = SURVEY.questions[wheel.question].responses.map(() => 0);
  byId("spin").disabled = false;
  byId("spin-many").disabled = false;
  byId("outcome").textContent = "Now spin.";
  drawWheel();
}

function tell(lead) {
  const question = SURVEY.questions[wheel.question];
  const total = wheel.counts.reduce((a, b) => a + b, 0);
  const listed = question.responses.map((name, z) => `“${name}” ${wheel.counts[z]}`).join(", ");
  byId("outcome").textContent =
    `${lead} So far, ${total} ${total === 1 ? "spin" : "spins"} with the true answer ` +
    `“${question.answers[wheel.answer]}”: ${listed}. Nothing was sent anywhere.`;
}

function spin() {
  const question = SURVEY.questions[wheel.question];
  const z = randomize(question, wheel.answer);
  wheel.counts[z] += 1;
  const parts = shares(question, wheel.answer);
  const middle = parts.slice(0, z).reduce((a, b) => a + b, 0) + parts[z] / 2;
  wheel.turns += 3;
  byId("disc").style.transform = `rotate(${360 * (wheel.turns - middle)}deg)`;
  tell(`The wheel stopped at “${question.responses[z]}”: that would be sent.`);
}

function spinMany() {
  const question = SURVEY.questions[wheel.question];
  for (let i = 0; i < 100; i += 1) wheel.counts[randomize(question, wheel.answer)] += 1;
  tell("100 spins at once.");
}

function setWheelQuestion(position) {
  wheel.question = position;
  wheel.answer = null;
  byId("spin").disabled = true;
  byId("spin-many").disabled = true;
  byId("outcome").textContent = "Choose a true answer to try.";
  const holder = byId("wheel-answers");
  holder.replaceChildren();
  SURVEY.questions[position].answers.forEach((name, x) => {
    const label = document.createElement("label");
    label.className = "choice small";
    const input = document.createElement("input");
    input.type = "radio";
    input.name = "wheel-answer";
    input.addEventListener("change", () => chooseWheel(x));
    label.append(input, ` ${name}`);
    holder.append(label);
  });
  drawWheel();
}

// ---- consent, questions, sending ---------------------------------------------------------
const token = decodeURIComponent(location.pathname.split("/").pop());
const KEY = `tightrope ${SURVEY.digest} ${token}`;
const RECEIVED = "received";
let drawn = null; // { receipt, responses }, drawn once for this link

function database() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open("tightrope", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("links");
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
    asked.onblocked = () => reject(new Error("blocked"));
  });
}

// What this browser keeps for this link: null, a draw that waits to be received, or RECEIVED.
// `change` makes the new value of the old one. Tabs take turns: of two that send at once, the
// second finds what the first one drew.
async function keep(change) {
  const opened = await database();
  try {
    return await new Promise((resolve, reject) => {
      const turn = opened.transaction("links", "readwrite", { durability: "strict" });
      const links = turn.objectStore("links");
      const asked = links.get(KEY);
      let value = null;
      asked.onsuccess = () => {
        value = change(asked.result ?? null);
        if (value !== null) links.put(value, KEY);
      };
      turn.oncomplete = () => resolve(value);
      turn.onabort = () => reject(turn.error);
    });
  } finally {
    opened.close();
  }
}

function draw(answers) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const made = { receipt: "", responses: {} };
  for (const byte of bytes) made.receipt += byte.toString(16).padStart(2, "0");
  SURVEY.questions.forEach((question, i) => {
    made.responses[question.key] = question.responses[randomize(question, answers[i])];
  });
  return made;
}

function chosenAnswers() {
  return SURVEY.questions.map((question) => {
    const input = document.querySelector(`input[name="${question.key}"]:checked`);
    return input === null ? null : Number(input.value);
  });
}

function show(section) {
  for (const id of ["about", "questions", "thanks"]) byId(id).hidden = id !== section;
  byId(`${section}-title`).focus();
}

function start() {
  if (!byId("consent").checked) {
    byId("consent-note").textContent = "Please tick the box first if you agree.";
    byId("consent").focus();
    return;
  }
  show("questions");
}

// From the draw on, the true answers are forgotten and nothing can be chosen any more.
function lock() {
  document.querySelectorAll("#choices input").forEach((input) => {
    input.checked = false;
  });
  byId("choices").hidden = true;
  byId("questions-title").textContent = "Your answers are randomized";
  byId("questions-lead").textContent =
    "Chance has decided what is sent, once. Sending again sends the same.";
  byId("send").textContent = "Send again";
}

async function send(event) {
  event.preventDefault();
  const note = byId("send-note");
  const answers = chosenAnswers();
  const missing = answers.indexOf(null);
  try {
    drawn ??= await keep((kept) => kept ?? (missing < 0 ? draw(answers) : null));
  } catch {
    note.textContent =
      "Nothing was sent: this browser does not let the page keep what it drew, and a reload " +
      "would draw again. Allow this site to store data, or use another browser.";
    return undefined;
  }
  if (drawn === RECEIVED) return finish(true);
  if (drawn === null) {
    note.textContent = `Question ${missing + 1} has no answer yet.`;
    document.querySelector(`input[name="${SURVEY.questions[missing].key}"]`).focus();
    return undefined;
  }
  lock();
  return post(note);
}

function posted() {
  return fetch("/answer", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token, consent: true, ...drawn }), // drawn only after consent
  });
}

async function post(note) {
  byId("send").disabled = true;
  note.textContent = "Sending…";
  try {
    const reply = await posted();
    const said = await reply.json();
    if (reply.ok) return finish(said.already);
    note.textContent =
      reply.status < 500 && reply.status !== 429
        ? `Not stored: ${said.error}`
        : `Not acknowledged: ${said.error} Send again: the same responses are sent.`;
  } catch {
    note.textContent = "No word from the server. Send again: the same responses are sent.";
  }
  byId("send").disabled = false;
  return undefined;
}

async function finish(already) {
  if (already) byId("thanks-title").textContent = "Thank you. Your answers were already received.";
  const list = byId("sent-list");
  for (const question of drawn === RECEIVED ? [] : SURVEY.questions) {
    const item = document.createElement("li");
    item.textContent = `${question.text} Sent: “${drawn.responses[question.key]}”.`;
    list.append(item);
  }
  byId("sent").hidden = drawn === RECEIVED;
  try {
    await keep(() => RECEIVED); // the responses are forgotten here too
  } catch {
    // they were received all the same
  }
  lock();
  show("thanks");
}

// The notice that this link was used: a draw that waits is sent once more, in case the server
// stopped between taking the link and storing the answer, and is forgotten then.
async function settle() {
  try {
    drawn = await keep((kept) => kept);
    if (drawn === null || drawn === RECEIVED) return;
    const reply = await posted();
    if (reply.status < 500 && reply.status !== 429) await keep(() => RECEIVED);
  } catch {
    // nothing can be kept here, or no word from the server: the next visit tries again
  }
}

// A draw that was kept is all that can be sent with this link from this browser.
async function resume() {
  try {
    drawn = await keep((kept) => kept);
  } catch {
    return; // nothing can be kept here, so nothing will be drawn either
  }
  if (drawn === null) return;
  if (drawn === RECEIVED) {
    finish(true);
  } else {
    lock();
    byId("send-note").textContent = "They were not acknowledged yet.";
    show("questions");
  }
}

document.addEventListener("DOMContentLoaded", () => {
  if (byId("answers") === null) {
    settle();
    return;
  }
  byId("start").addEventListener("click", start);
  byId("answers").addEventListener("submit", send);
  byId("spin").addEventListener("click", spin);
  byId("spin-many").addEventListener("click", spinMany);
  const select = byId("wheel-question");
  if (select !== null) {
    select.addEventListener("change", () => setWheelQuestion(select.selectedIndex));
  }
  setWheelQuestion(0);
  resume();
});
