// Show in all three windows the text that somebody has chosen in one of them.
const windows = [...document.querySelectorAll(".window")];
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-n] > a");
  if (!link) return;
  event.preventDefault();
  const number = link.parentElement.dataset.n;
  for (const one of document.querySelectorAll(".here")) one.classList.remove("here");
  for (const one of windows) {
    const found = [...one.querySelectorAll(`[data-n="${number}"]`)];
    for (const part of found) part.classList.add("here");
    if (found.length && !one.contains(link)) {
      one.scrollTop += found[0].getBoundingClientRect().top - one.getBoundingClientRect().top - one.clientHeight / 3;
    }
  }
});
