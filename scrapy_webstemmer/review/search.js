const search = document.getElementById("search");
const found = document.getElementById("found");
const rows = [...document.querySelectorAll("#rows tbody tr")];
search.addEventListener("input", () => {
  const wanted = search.value.trim().toLowerCase();
  let count = 0;
  for (const row of rows) {
    row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
    count += !row.hidden;
  }
  found.textContent = wanted ? ` ${count} of ${rows.length}` : "";
});
