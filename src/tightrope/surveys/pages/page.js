// What this page does: it randomizes your answers here, in the browser, once, and posts the
// token of your link, your consent, the positions of the responses and a random number by which a
// second try is known to be the same. Nothing else. What was drawn is kept in this browser until
// the server has it, so that a second try or a reload sends the same; your answers never are.
// A question that says so is sent as you answer it. The post is as long whatever you answer.

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

// The response to send. What has no thresholds is sent as it was chosen; of an unrelated question
// chance decides which of the two answers is sent.
function respond(question, answer) {
  if (question.toss !== null) {
    const [times, total] = question.toss.map(BigInt);
    return answer[uniformBelow(total) < times ? 0 : 1];
  }
  return question.thresholds.length === 0 ? answer : randomize(question, answer);
}

const byId = (id) => document.getElementById(id);

// ---- languages: the page holds them all, so nobody learns which one is read ---------------
const mains = new Map(); // the content of the page in each language, the first one first
const spoken = () => SURVEY.languages[document.documentElement.lang];
const wordsOf = (question) => spoken().questions[question.key];

// The sentence of the page's language under a key, with its values put in; in a line from right
// to left each value has a direction of its own.
function say(key, values = {}) {
  const form = spoken().sentences[key];
  const text = typeof form === "string" ? form : form[values.n] ?? form.other;
  const [apart, end] = document.documentElement.dir === "rtl" ? ["\u2068", "\u2069"] : ["", ""];
  return text.replace(/\{([a-z_]+)\}/g, (_, name) => `${apart}${values[name]}${end}`);
}

// The language after # in the address, or one that this browser prefers, or the first.
function preferred() {
  const codes = [...mains.keys()];
  const short = (tag) => tag.toLowerCase().split("-")[0];
  const named = location.hash.slice(1);
  if (mains.has(named)) return named;
  for (const tag of navigator.languages) {
    const match = codes.find((code) => code === tag) ?? codes.find((c) => short(c) === short(tag));
    if (match !== undefined) return match;
  }
  return codes[0];
}

// Show the page in a language, with the same section, consent and choices.
function speak(code) {
  const before = document.querySelector("main");
  const after = mains.get(code);
  for (const input of before.querySelectorAll("#consent, #choices input")) {
    const same = input.id ? `#${input.id}` : `[name="${input.name}"][value="${input.value}"]`;
    const other = after.querySelector(same);
    if (input.type === "text") other.value = input.value;
    other.checked = input.checked;
  }
  for (const id of SECTIONS) after.querySelector(`#${id}`).hidden = byId(id).hidden;
  before.replaceWith(after);
  document.documentElement.lang = code;
  document.documentElement.dir = after.dir;
  document.title = spoken().title;
  showAsked();
  if (byId("try") !== null) {
    setWheelQuestion(SURVEY.questions.findIndex((question) => question.thresholds.length > 0));
  }
}

// ---- consent, questions, sending ---------------------------------------------------------
const token = decodeURIComponent(location.pathname.split("/").pop());
const KEY = `tightrope ${SURVEY.law} ${token}`;
const RECEIVED = "received";
const SECTIONS = ["about", "questions", "thanks"];
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
    made.responses[question.key] = respond(question, answers[i]);
  });
  return made;
}

// ---- what was chosen: the position of an answer, null where there is none yet --------------
function chosen(name) {
  const input = document.querySelector(`input[name="${name}"]:checked`);
  return input === null ? null : Number(input.value);
}

const numberInput = (question) => byId(`number-${question.key}`);

// The number that was typed, with a point or a comma; null for anything else.
function typed(question) {
  const text = numberInput(question).value.trim().replace(",", ".");
  return /^[+-]?[0-9]{1,15}(\.[0-9]{1,15})?$/.test(text) ? Number(text) : null;
}

// The position of the bin that holds a number: from each edge to under the next one.
function binOf(question) {
  const number = typed(question);
  const edges = question.bins.edges.map(Number);
  const last = edges.length - 1;
  if (number === null) return null;
  if (question.bins.refuse && (number < edges[0] || number > edges[last])) return null;
  return Math.max(0, edges.slice(1, last).filter((edge) => edge <= number).length);
}

function answerTo(question) {
  if (question.toss !== null) {
    const both = [chosen(question.key), chosen(`${question.key}-second`)];
    return both.includes(null) ? null : both;
  }
  if (question.bins === null) return chosen(question.key);
  return chosen(question.key) ?? binOf(question);
}

// Every answer: to a question that is not asked, that it was not.
function chosenAnswers() {
  const answers = [];
  for (const question of SURVEY.questions) {
    const on = question.ask_if;
    const asked = on === null || on.answers.includes(answers[on.question]);
    answers.push(asked ? answerTo(question) : question.not_asked);
  }
  return answers;
}

// Show the questions that are asked, given what was chosen so far.
function showAsked() {
  const answers = chosenAnswers();
  for (const question of SURVEY.questions) {
    const on = question.ask_if;
    const asked = on === null || on.answers.includes(answers[on.question]);
    byId(`ask-${question.key}`).hidden = !asked;
  }
}

// Of a number and “prefer not to say” the one that was given last counts.
function choose(event) {
  for (const question of SURVEY.questions) {
    if (question.bins !== null) {
      if (event.target === numberInput(question)) {
        for (const input of document.getElementsByName(question.key)) input.checked = false;
      } else if (event.target.name === question.key) {
        numberInput(question).value = "";
      }
    }
  }
  showAsked();
}

// Say which question has no answer yet, and go there.
function demand(position) {
  const question = SURVEY.questions[position];
  const { bins } = question;
  const n = [...document.querySelectorAll(".asked:not([hidden])")]
    .findIndex((part) => part.id === `ask-${question.key}`) + 1;
  let key = "missing";
  if (bins !== null && numberInput(question).value.trim() !== "") {
    key = typed(question) === null ? "no_number" : "number";
  }
  const shown = bins === null ? [""] : bins.edges.map(
    (edge) => edge.replace(".", say("number.decimal")));
  byId("send-note").textContent = say(key, { n, low: shown[0], high: shown[shown.length - 1] });
  const inputs = [...byId(`ask-${question.key}`).querySelectorAll("input")];
  (inputs.find((input) => input.type === "text" || chosen(input.name) === null)).focus();
}

function show(section) {
  for (const id of SECTIONS) byId(id).hidden = id !== section;
  byId(`${section}-title`).focus();
}

function start() {
  if (!byId("consent").checked) {
    byId("consent-note").textContent = say("tick");
    byId("consent").focus();
    return;
  }
  show("questions");
}

// From the draw on, the true answers are forgotten and nothing can be chosen any more.
function lock() {
  for (const main of mains.values()) {
    for (const input of main.querySelectorAll("#choices input")) {
      input.checked = false;
      if (input.type === "text") input.value = "";
    }
  }
  byId("choices").hidden = true;
  if (byId("languages") !== null) byId("languages").hidden = true;
  byId("questions-title").textContent = say("settled_title");
  byId("questions-lead").textContent = say("settled_lead");
  byId("send").textContent = say("send_again");
}

async function send(event) {
  event.preventDefault();
  const note = byId("send-note");
  const answers = chosenAnswers();
  const missing = answers.indexOf(null);
  try {
    drawn ??= await keep((kept) => kept ?? (missing < 0 ? draw(answers) : null));
  } catch {
    note.textContent = say("cannot_keep");
    return undefined;
  }
  if (drawn === RECEIVED) return finish(true);
  if (drawn === null) {
    demand(missing);
    return undefined;
  }
  lock();
  return post(note);
}

// Digits of the largest position of each response: the post is filled up with spaces to that.
function longest() {
  return SURVEY.questions.reduce((sum, { responses }) => sum + String(responses - 1).length, 0);
}

function posted() {
  const digits = Object.values(drawn.responses).reduce((sum, z) => sum + String(z).length, 0);
  const body = JSON.stringify({ token, consent: true, ...drawn }); // drawn only after consent
  return fetch("/answer", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: body + " ".repeat(longest() - digits),
  });
}

// The sentence for an answer that was not taken: those of the server are for programs.
function refusal(status) {
  const refused = { 404: "unknown", 409: "replayed", 410: "closed" };
  return refused[status] ?? (mayTakeLater(status) ? "not_acknowledged" : "refused");
}

const mayTakeLater = (status) => status >= 500 || status === 429;

async function post(note) {
  byId("send").disabled = true;
  note.textContent = say("sending");
  try {
    const reply = await posted();
    if (reply.ok) return finish((await reply.json()).already);
    note.textContent = say(refusal(reply.status));
  } catch {
    note.textContent = say("no_word");
  }
  byId("send").disabled = false;
  return undefined;
}

const isClear = ({ kind, thresholds }) => {
  return thresholds.length === 0 && !["crosswise", "unrelated"].includes(kind);
};

async function finish(already) {
  if (already) byId("thanks-title").textContent = say("already");
  const list = byId("sent-list");
  for (const question of drawn === RECEIVED ? [] : SURVEY.questions) {
    const item = document.createElement("li");
    const text = wordsOf(question).text;
    item.textContent = say(isClear(question) ? "given" : "sent", {
      question: /[.?!:\u2026\u061f\u3002\uff1f]$/u.test(text) ? text : `${text}.`,
      response: wordsOf(question).responses[drawn.responses[question.key]],
    });
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
    if (!mayTakeLater(reply.status)) await keep(() => RECEIVED);
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
    byId("send-note").textContent = say("waiting");
    show("questions");
  }
}

function listen(main) {
  mains.set(main.lang, main);
  const within = (id) => main.querySelector(`#${id}`);
  within("start").addEventListener("click", start);
  within("answers").addEventListener("submit", send);
  within("answers").addEventListener("input", choose);
  if (within("try") === null) return;
  within("spin").addEventListener("click", spin);
  within("spin-many").addEventListener("click", spinMany);
  const select = within("wheel-question");
  if (select !== null) {
    select.addEventListener("change", () => setWheelQuestion(Number(select.value)));
  }
}

document.addEventListener("DOMContentLoaded", () => {
  if (byId("answers") === null) {
    settle();
    return;
  }
  listen(document.querySelector("main"));
  for (const other of document.querySelectorAll("template")) {
    listen(document.importNode(other.content, true).querySelector("main"));
  }
  speak(preferred());
  window.addEventListener("hashchange", () => {
    if (!byId("choices").hidden) speak(preferred());
  });
  resume();
});
