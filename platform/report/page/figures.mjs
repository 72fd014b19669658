// Figures: a chart of ECharts with a caption and, for readers who cannot see it, a table with its content. A change of
// appearance draws all of them again; the printer gets light colours.

import {colour} from './colours.mjs';
import {h} from './dom.mjs';
import {saveButton, standalone} from './saving.mjs';

// Appearance of all figures: dark or light, and whether colours come with patterns.
export const appearance = {dark: false, patterns: false, printing: false};

export function ink() {
  const dark = appearance.dark && !appearance.printing;
  return dark ? {text: '#e6e6e6', faint: '#9aa0a6', line: '#3c4043', paper: '#16181c'}
    : {text: '#1b1b1b', faint: '#5f6368', line: '#d5d8dc', paper: '#ffffff'};
}

const kDrawn = new Set();

// `draw(host)` fills the host element and returns a function that removes the content.
export function addDrawing(host, draw) {
  const drawing = {host, draw, remove: undefined};
  kDrawn.add(drawing);
  return drawing;
}

function redraw(drawing) {
  drawing.remove?.();
  drawing.remove = drawing.draw(drawing.host);
}

export function drawAll() {
  for (const drawing of kDrawn) redraw(drawing);
}

export function drawOne(drawing) {
  redraw(drawing);
}

// Pixels between the edges of the page while it is printed: A4 less margins.
const kPrinted = 700;

export function widthOf(host) {
  return appearance.printing ? kPrinted : Math.max(300, host.clientWidth);
}

// Options that all charts have in common.
function common(option) {
  const {text, faint, line} = ink();
  const axis = (a) => ({
    nameTextStyle: {color: faint}, axisLine: {lineStyle: {color: faint}},
    splitLine: {lineStyle: {color: line}}, ...a, axisLabel: {color: text, ...a.axisLabel},
  });
  const axes = (a) => (Array.isArray(a) ? a.map(axis) : axis(a));
  return {
    animation: false, backgroundColor: 'transparent', textStyle: {fontFamily: 'inherit', color: text},
    aria: {enabled: true, decal: {show: appearance.patterns}},
    ...option,
    tooltip: {trigger: 'axis', confine: true, renderMode: 'richText', ...option.tooltip},
    ...(option.xAxis && {xAxis: axes(option.xAxis), yAxis: axes(option.yAxis)}),
  };
}

// The key of colours: [[name, number of the colour]].
export function keyList(names) {
  return h('ul', {class: 'key', 'aria-label': 'Colours'}, names.map(([name, number]) =>
    h('li', {}, h('span', {class: 'swatch', style: `background:${colour(number)}`}), name)));
}

// The result of `draw()` in the appearance of paper.
export function asPrinted(draw) {
  const before = appearance.printing;
  appearance.printing = true;
  try {
    return draw();
  } finally {
    appearance.printing = before;
  }
}

// The file of a chart. `options()`: of ECharts; `key`: as of keyList.
export function fileOf({title, height, options, key, host}) {
  return asPrinted(() => {
    const width = widthOf(host);
    const chart = echarts.init(null, null, {renderer: 'svg', ssr: true, width, height});
    chart.setOption({...options(), aria: {enabled: false}});
    const svg = chart.renderToSVGString();
    chart.dispose();
    return standalone(svg, {title, key, width, height, ink: ink()});
  });
}

// A chart. `option()`: the options of ECharts, called whenever it is drawn. `table`: its content as an element.
export function chartFigure({id, title, height, option, key, table}) {
  const host = h('div', {class: 'chart', style: `height:${height}px`});
  addDrawing(host, () => {
    const chart = echarts.init(host, null, {renderer: 'svg', width: widthOf(host), height});
    chart.setOption(common(option()));
    host.setAttribute('role', 'img');
    host.setAttribute('aria-label', `${title}. The table below it has the values.`);
    return () => chart.dispose();
  });
  const names = key && key.length > 1 ? key : [];
  const save = saveButton(title, () => fileOf({title, height, options: () => common(option()), key: names, host}));
  return h('figure', {id}, h('figcaption', {}, title, save), names.length > 0 && keyList(names), host,
    table && h('details', {}, h('summary', {}, 'The same as a table'), table));
}
