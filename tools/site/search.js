// Shows those sections of the search page that have a word for each begun word of
// the query, the ones with such words in their title first. Without this script,
// the page lists all sections.
const box = document.getElementById("q");
const list = document.getElementById("found");
const count = document.getElementById("count");
const split = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u).filter(Boolean);
const sections = [...list.children].map((item) => ({
  item,
  title: split(item.querySelector("a").textContent + " " + item.querySelector("small").textContent),
  words: item.dataset.words.split(" "),
}));

function show() {
  const query = split(box.value);
  const begins = (words, begun) => words.some((word) => word.startsWith(begun));
  const inTitle = (section) => query.filter((begun) => begins(section.title, begun)).length;
  const found = sections.filter((s) => query.every((begun) => begins(s.title, begun) || begins(s.words, begun)));
  found.sort((a, b) => inTitle(b) - inTitle(a)); // stable: the order of the pages stays
  list.replaceChildren(...found.map((section) => section.item));
  count.textContent = query.length === 0 ? "All sections of all pages." : `${found.length} of ${sections.length} sections`;
}

box.value = new URLSearchParams(location.search).get("q") ?? "";
box.addEventListener("input", show);
box.form.addEventListener("submit", (event) => event.preventDefault());
box.focus();
show();
