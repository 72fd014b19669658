// The parts of a report. Each registers itself in its own file.

// `order`: place on the page. `build(runs, data)`: the elements of the section; a section without elements is left out.
// `data`: of the page; `runs`: its runs.
export function addSection(section) {
  (addSection.all ??= []).push(section);
}

export function sections() {
  return [...addSection.all].sort((a, b) => a.order - b.order);
}
