// Elements. Text goes in as text, never as markup.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

const kMaxRows = 200;

// `head`: results of numeric(), or texts; `rows`: lists of texts or elements. Columns without a value are left out. A note
// follows a table that is cut because it is long.
export function dataTable(caption, head, rows) {
  const shown = head.map((_, at) => at).filter((at) => at === 0 || rows.some((row) => (row[at] ?? '') !== ''));
  const columns = shown.map((at) => (typeof head[at] === 'string' ? {text: head[at]} : head[at]));
  const cell = (content, at) =>
    h(at === 0 ? 'th' : 'td', {scope: at === 0 && 'row', class: columns[at].numeric && 'number'}, content ?? '');
  const table = h('table', {},
    h('caption', {}, caption),
    h('thead', {}, h('tr', {}, columns.map((column) => h('th', {scope: 'col', class: column.numeric && 'number'}, column.text)))),
    h('tbody', {}, rows.slice(0, kMaxRows).map((row) => h('tr', {}, shown.map((at) => row[at]).map(cell)))));
  const box = h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption}, table);
  if (rows.length <= kMaxRows) return box;
  return h('div', {}, box, h('p', {class: 'note'}, `The first ${kMaxRows} of ${rows.length} rows; the files of the run have all of them.`));
}

export function numeric(text) {
  return {text, numeric: true};
}
