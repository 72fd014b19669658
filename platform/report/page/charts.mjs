// Kinds of charts that several sections use.

import {dataTable, numeric} from './dom.mjs';
import {appearance, chartFigure, ink} from './figures.mjs';
import {colour, decal} from './colours.mjs';
import {short, tick} from './format.mjs';

function keyOf(parts) {
  return parts.map((part) => [part.name, part.colour]);
}

// Horizontal stacked bars, one per category. `parts`: [{name, colour (-1: grey), values}]; `text(value)`: for the reader.
export function stackedBars({id, title, categories, parts, unit, text = short, most}) {
  const shown = parts.filter((part) => part.values.some((value) => value > 0));
  const longest = Math.max(...categories.map((name) => name.length), 1);
  const height = 52 + 26 * categories.length;
  const option = () => ({
    grid: {left: Math.min(16 + 7 * longest, 220), right: 24, top: 8, bottom: 40},
    tooltip: {trigger: 'item', formatter: (at) => `${at.seriesName}\n${at.name}: ${text(at.value)}`},
    xAxis: {type: 'value', max: most, name: unit, nameLocation: 'middle', nameGap: 24, axisLabel: {hideOverlap: true, formatter: text}},
    yAxis: {type: 'category', data: categories, inverse: true, axisTick: {show: false}, axisLabel: {width: 200, overflow: 'truncate'}},
    series: shown.map((part) => ({
      type: 'bar', stack: 'all', name: part.name, data: part.values, barMaxWidth: 18,
      itemStyle: {color: colour(part.colour), borderColor: ink().paper, borderWidth: 0.5, decal: decal(part.colour, false)},
    })),
  });
  const table = dataTable(title, ['', ...parts.map((part) => numeric(part.name))],
    categories.map((name, at) => [name, ...parts.map((part) => text(part.values[at]))]));
  return chartFigure({id, title, height, option, key: keyOf(shown), table});
}

// Lines over a common or their own x. `lines`: [{name, colour, points: [[x, y]], step}]; `marks`: vertical lines,
// [{name, x}]; `area`: one on top of the other.
export function lineChart({id, title, lines, xName, xMost, yName, yMost, marks = [], area = false, table, height = 300}) {
  const most = xMost ?? Math.max(...lines.map((line) => line.points[line.points.length - 1][0]), ...marks.map((mark) => 1.05 * mark.x));
  const option = () => ({
    grid: {left: 64, right: 24, top: 12, bottom: 44},
    tooltip: {valueFormatter: short},
    xAxis: {type: 'value', name: xName, nameLocation: 'middle', nameGap: 26, min: 0, max: most, axisLabel: {hideOverlap: true, showMaxLabel: false}, splitLine: {show: false}},
    yAxis: {type: 'value', name: yName, nameLocation: 'middle', nameGap: 48, max: yMost, nameRotate: 90, min: 0},
    series: lines.map((line, at) => ({
      type: 'line', name: line.name, data: line.points, showSymbol: line.points.length === 1, symbolSize: 6, step: line.step, stack: area ? 'all' : undefined,
      areaStyle: area ? {opacity: 0.75, decal: decal(line.colour, false)} : undefined,
      lineStyle: {width: area ? 0.5 : 1.8, type: line.colour >= 7 ? 'dashed' : 'solid'}, itemStyle: {color: colour(line.colour)},
      markLine: at === 0 && marks.length ? {
        symbol: 'none', silent: true, lineStyle: {color: ink().text, type: 'dashed'}, label: {color: ink().text, formatter: '{b}', position: 'insideEndTop'},
        data: marks.map((mark) => ({name: mark.name, xAxis: mark.x})),
      } : undefined,
    })),
  });
  return chartFigure({id, title, height, option, key: keyOf(lines), table});
}

const kTableRows = 40;

// Reduces the number of points by means of neighbours.
export function thinned(points, rows) {
  const step = Math.max(1, Math.ceil(points.length / rows));
  const list = [];
  for (let at = 0; at < points.length; at += step) {
    const part = points.slice(at, at + step);
    list.push([part[0][0], part.reduce((sum, [, y]) => sum + y, 0) / part.length]);
  }
  return list;
}

// Quantities over time, up to `until` us, one on top of the other; `stacked` false: beside each other. Lines have the same x.
export function areaChart({id, title, lines, yName, yMost, until, stacked = true}) {
  const columns = lines.map((line) => thinned(line.points, kTableRows));
  const table = dataTable(title, [numeric('from [us]'), ...lines.map((line) => numeric(line.name))],
    columns[0].map(([x], row) => [short(x), ...columns.map((column) => short(column[row][1]))]));
  return lineChart({id, title, lines, xName: 'time [us]', xMost: until, yName, yMost, area: stacked, table});
}

const kBar = 15;

// Horizontal bars in groups, each with its interval. `bars`: [{name, colour, values: [{mean, low, high} or undefined]}], with
// one value per category; `base`: start of the bars, default 0.
export function barsWithIntervals({id, title, categories, bars, unit, base}) {
  const thick = Math.max(4, Math.min(kBar, 44 / bars.length)), group = Math.max(26, thick * bars.length + 10);
  const longest = Math.max(...categories.map((name) => name.length), 1);
  const bar = (number) => (params, api) => {
    const [from, low, high] = [api.value(2), api.value(3), api.value(4)];
    const [x, middle] = api.coord([api.value(0), api.value(1)]), start = api.coord([from, 0])[0];
    const y = middle + (number - (bars.length - 1) / 2) * thick;
    // Visible on paper and on a bar of any colour.
    const line = (x1, y1, x2, y2) => [[ink().paper, 3.6], [ink().text, 1.2]].map(([stroke, lineWidth]) => ({type: 'line', shape: {x1, y1, x2, y2}, style: {stroke, lineWidth}, z2: lineWidth > 2 ? 1 : 2}));
    const children = [{type: 'rect', shape: {x: Math.min(x, start), y: y - thick / 2 + 0.5, width: Math.max(1, Math.abs(x - start)), height: thick - 1}, style: {fill: api.visual('color'), decal: decal(bars[number].colour, appearance.patterns)}}];
    if (high > low) {  // otherwise there is no randomness, or a single seed
      const [left, right] = [api.coord([low, 0])[0], api.coord([high, 0])[0]], end = thick / 4;
      children.push(...line(left, y, right, y), ...line(left, y - end, left, y + end), ...line(right, y - end, right, y + end));
    }
    return {type: 'group', children};
  };
  const all = bars.flatMap(({values}) => values.filter(Boolean).flatMap(({mean, low, high}) => [mean, low ?? mean, high ?? mean]));
  const least = Math.min(base ?? 0, ...all), most = Math.max(base ?? 0, ...all), room = 0.03 * (most - least || 1);
  const option = () => ({
    grid: {left: Math.min(16 + 7 * longest, 300), right: 24, top: 8, bottom: 44},
    tooltip: {trigger: 'item', formatter: ({seriesName, value: [mean, at, , low, high]}) =>
      `${seriesName}\n${categories[at]}: ${short(mean)}${low !== undefined ? `\n${short(low)} to ${short(high)}` : ''}`},
    xAxis: {type: 'value', name: unit, nameLocation: 'middle', nameGap: 26, min: base === undefined ? Math.min(0, least) : least - room, max: most + room, axisLabel: {hideOverlap: true, formatter: tick, showMinLabel: base === undefined, showMaxLabel: false}},
    yAxis: {type: 'category', data: categories, inverse: true, axisTick: {show: false}, axisLabel: {width: 284, overflow: 'truncate', interval: 0}},
    series: bars.map(({name, colour: number, values}, at) => ({
      type: 'custom', name, renderItem: bar(at), itemStyle: {color: colour(number)},
      data: values.flatMap((value, place) => (value ? [[value.mean, place, base ?? 0, value.low, value.high]] : [])),
      markLine: at === 0 && base !== undefined ? {symbol: 'none', silent: true, label: {show: false}, lineStyle: {color: ink().text, type: 'solid', width: 1}, data: [{xAxis: base}]} : undefined,
    })),
  });
  const cell = (value) => (value === undefined ? '' : value.low === undefined ? short(value.mean) : `${short(value.mean)} (${short(value.low)} to ${short(value.high)})`);
  const table = dataTable(title, ['', ...bars.map(({name}) => numeric(name))], categories.map((name, at) => [name, ...bars.map(({values}) => cell(values[at]))]));
  return chartFigure({id, title, height: 60 + group * categories.length, option, key: keyOf(bars), table});
}
