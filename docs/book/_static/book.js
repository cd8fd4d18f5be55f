// What the book's pages do by themselves: predictions are answered, wide frames are reached by keyboard, paper is white.

// A prediction: the letters above its place become a choice, and the answer is what the notebook's check says.
for (const place of document.querySelectorAll(".prediction")) {
  const said = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(place.dataset.said), (c) => c.charCodeAt(0))));
  const letters = Object.keys(said);
  const lists = [...document.querySelectorAll("article ul")].filter(
    (list) => list.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING
      && list.children.length === letters.length && list.textContent.trim().startsWith("a)"),
  );
  const list = lists.at(-1);
  if (!list) continue;
  const make = (tag, attributes = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.append(...children);
    return element;
  };
  [...list.children].forEach((item, i) => {
    const choice = make("input", { type: "radio", name: place.dataset.name, value: letters[i] });
    choice.addEventListener("change", () => (button.disabled = false));
    const words = make("span");
    words.append(...(item.querySelector("p") ?? item).childNodes);
    item.replaceChildren(make("label", {}, choice, words));
  });
  const answer = make("div", { role: "status" });
  const button = make("button", { type: "button", disabled: true }, "Check my guess");
  button.addEventListener("click", () => {
    answer.innerHTML = said[place.querySelector("input:checked").value];
  });
  const group = make("fieldset", {}, make("legend", {}, "Your guess"), list, button);
  place.replaceChildren(group, answer);
}

// A frame that scrolls is reached by the Tab key.
const frames = document.querySelectorAll("article pre, article .table-wrapper, article .formula");
const reach = () => {
  for (const frame of frames) {
    if (frame.scrollWidth > frame.clientWidth) frame.tabIndex = 0;
    else frame.removeAttribute("tabindex");
  }
};
new ResizeObserver(reach).observe(document.body);

// What was opened in the dark is printed on white paper: pictures and explorers, too.
let theme;
addEventListener("beforeprint", () => {
  theme = document.body.dataset.theme;
  document.body.dataset.theme = "light";
});
addEventListener("afterprint", () => (document.body.dataset.theme = theme));
