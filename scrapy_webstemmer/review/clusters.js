const data = JSON.parse(document.getElementById("data").textContent);
const slider = document.getElementById("threshold"), shown = document.getElementById("shown");
const list = document.getElementById("clusters"), near = data.pages.map(() => new Map());
for (const [rate, a, b] of data.pairs) { near[a].set(b, rate); near[b].set(a, rate); }
function clustersAt(threshold) {
  const free = new Set(data.pages.keys()), found = [];
  for (const [rate, a, b] of data.pairs) {
    if (rate < threshold) break;
    const begun = [a, b].filter(page => free.has(page));
    if (!begun.length) continue;
    begun.forEach(page => free.delete(page));
    const joined = [...free].filter(page => begun.some(start => (near[page].get(start) ?? 0) >= threshold));
    joined.forEach(page => free.delete(page));
    found.push([...begun, ...joined].sort((x, y) => x - y));
  }
  for (const page of free) found.push([page]);
  return found.sort((x, y) => y.length - x.length || x[0] - y[0]);
}
function element(name, ...content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}
function counted(count, noun) { return `${count} ${noun}${count === 1 ? "" : "s"}`; }
function rateOf(page, first) {
  return page === first ? "1.000" : near[page].has(first) ? near[page].get(first).toFixed(3) : "less";
}
function add(title, pages, rated) {
  list.append(element("h2", `${title}: ${counted(pages.length, "page")}`), element("ul", ...pages.map(page =>
    element("li", element("small", rated ? rateOf(page, pages[0]) : ""), element("bdi", data.pages[page])))));
}
function show(threshold) {
  const found = clustersAt(Number(threshold)), large = found.filter(pages => pages.length > 1);
  const alone = found.slice(large.length).flat(), clusters = counted(large.length, "cluster");
  shown.textContent = `${threshold}: ${clusters}, ${counted(alone.length, "page")} alone`;
  list.replaceChildren();
  large.forEach((pages, number) => add(`Cluster ${number + 1}`, pages, true));
  if (alone.length) add("In no cluster", alone, false);
}
slider.addEventListener("input", () => show(slider.value));
show(slider.defaultValue);
