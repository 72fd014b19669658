// The parts of a report. Each registers itself in its own file.

// `order`: place on the page. `build(runs)`: the elements of the section; none, and the section is left out.
export function addSection(section) {
  (addSection.all ??= []).push(section);
}

export function sections() {
  return [...addSection.all].sort((a, b) => a.order - b.order);
}
