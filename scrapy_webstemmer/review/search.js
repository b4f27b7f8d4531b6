const search = document.getElementById("search");
const found = document.getElementById("found");
const rows = [...document.querySelectorAll("#rows tbody tr, #rows > li")];
search.addEventListener("input", () => {
  const wanted = search.value.trim().toLowerCase();
  let count = 0;
  for (const row of rows) {
    row.hidden = !row.firstElementChild.textContent.toLowerCase().includes(wanted);
    count += !row.hidden;
  }
  found.textContent = wanted ? ` ${count} of ${rows.length}` : "";
});
