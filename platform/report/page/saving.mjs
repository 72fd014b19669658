// Charts as files of their own: SVG, in light colours, as wide as on paper, with the names of the colours above.

import {colour} from './colours.mjs';
import {h} from './dom.mjs';

const kSavedLetter = 7;  // pixels of the width of a letter, about
const kSavedLine = 18, kSavedMargin = 8, kSwatch = 10;

function escaped(text) {
  return String(text).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

// The place of each name of the key: [x, y], in lines that are no wider than the picture.
export function placesOfKey(names, width) {
  let x = kSavedMargin, y = 0;
  return names.map((name) => {
    const needs = kSwatch + 6 + kSavedLetter * name.length + 16;
    if (x > kSavedMargin && x + needs > width) {
      x = kSavedMargin;
      y += kSavedLine;
    }
    const place = [x, y];
    x += needs;
    return place;
  });
}

// `svg`: of the chart. `key`: [[name, number of the colour]].
export function standalone(svg, {title, key = [], width, height, ink}) {
  const places = placesOfKey(key.map(([name]) => name), width);
  const above = places.length ? places[places.length - 1][1] + kSavedLine + kSavedMargin : 0;
  const names = key.map(([name, number], at) => {
    const [x, y] = places[at];
    return `<rect x="${x}" y="${y + 6}" width="${kSwatch}" height="${kSwatch}" fill="${colour(number)}"/>`
      + `<text x="${x + kSwatch + 6}" y="${y + 15}" font-size="12" fill="${ink.text}">${escaped(name)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height + above}" `
    + `viewBox="0 0 ${width} ${height + above}" font-family="sans-serif" role="img">`
    + `<title>${escaped(title)}</title><rect width="100%" height="100%" fill="${ink.paper}"/>${names.join('')}`
    + `<g transform="translate(0,${above})">${svg.replaceAll('font-family:inherit', 'font-family:sans-serif')}</g></svg>\n`;
}

// `picture()`: the file's text.
export function saveButton(title, picture) {
  const save = () => {
    const address = URL.createObjectURL(new Blob([picture()], {type: 'image/svg+xml'}));
    const name = title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 60);
    h('a', {href: address, download: `${name}.svg`}).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  return h('button', {type: 'button', class: 'save', 'aria-label': `Save as SVG: ${title}`, onclick: save}, 'SVG');
}
