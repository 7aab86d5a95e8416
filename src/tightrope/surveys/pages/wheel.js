// The wheel: it shows how often each response is sent, and sends nothing itself.

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

function percent(share) {
  const n = (100 * share).toFixed(1).replace(/\.0$/, "").replace(".", say("number.decimal"));
  return say("number.percent", { n });
}

const COLORS = ["#1f4e79", "#b3541e", "#2e6b3e", "#6b3fa0", "#7a6000", "#00707a"];

// The color of a response; of many, each has a hue of its own.
function color(z, responses) {
  return responses.length > COLORS.length
    ? `hsl(${Math.round((360 * z) / responses.length)} 60% 38%)` : COLORS[z];
}

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
  const { responses } = wordsOf(question);
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
      path.setAttribute("fill", wheel.answer === null ? "#c5ced8" : color(z, responses));
      disc.append(path);
    }
    from += share;
    const item = document.createElement("li");
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.backgroundColor = color(z, responses);
    const shown = wheel.answer === null ? "?" : percent(share);
    item.append(swatch, say("sends", { response: responses[z], share: shown }));
    legend.append(item);
  });
}

function chooseWheel(answer) {
  wheel.answer = answer;
  wheel.counts = wordsOf(SURVEY.questions[wheel.question]).responses.map(() => 0);
  byId("spin").disabled = false;
  byId("spin-many").disabled = false;
  byId("outcome").textContent = say("now_spin");
  drawWheel();
}

function tell(lead) {
  const { answers, responses } = wordsOf(SURVEY.questions[wheel.question]);
  const total = wheel.counts.reduce((a, b) => a + b, 0);
  const list = responses
    .map((response, z) => say("counted", { response, n: wheel.counts[z] }))
    .join(", ");
  const values = { n: total, answer: answers[wheel.answer], list };
  byId("outcome").textContent = `${lead} ${say("so_far", values)}`;
}

function spin() {
  const question = SURVEY.questions[wheel.question];
  const z = randomize(question, wheel.answer);
  wheel.counts[z] += 1;
  const parts = shares(question, wheel.answer);
  const middle = parts.slice(0, z).reduce((a, b) => a + b, 0) + parts[z] / 2;
  wheel.turns += 3;
  byId("disc").style.transform = `rotate(${360 * (wheel.turns - middle)}deg)`;
  tell(say("stopped", { response: wordsOf(question).responses[z] }));
}

function spinMany() {
  const question = SURVEY.questions[wheel.question];
  for (let i = 0; i < 100; i += 1) wheel.counts[randomize(question, wheel.answer)] += 1;
  tell(say("many"));
}

function setWheelQuestion(position) {
  wheel.question = position;
  wheel.answer = null;
  byId("spin").disabled = true;
  byId("spin-many").disabled = true;
  byId("outcome").textContent = say("choose");
  const holder = byId("wheel-answers");
  holder.replaceChildren();
  wordsOf(SURVEY.questions[position]).answers.forEach((name, x) => {
    const label = document.createElement("label");
    label.className = "choice small";
    const input = document.createElement("input");
    input.type = "radio";
    input.name = "wheel-answer";
    input.addEventListener("change", () => chooseWheel(x));
    const words = document.createElement("bdi");
    words.textContent = name;
    label.append(input, " ", words);
    holder.append(label);
  });
  drawWheel();
}
