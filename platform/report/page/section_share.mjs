// Programs that share a GPU (`gputlm share`): the cost of each way for each program, and its causes.

import {dataTable, h, numeric} from './dom.mjs';
import {chartFigure, ink} from './figures.mjs';
import {colour} from './colours.mjs';
import {short, whole} from './format.mjs';
import {stackedBars} from './charts.mjs';
import {addSection} from './sections.mjs';

// The rows of each way, one per program, in the order of the file.
export function waysOf(share) {
  const ways = new Map();
  for (const row of share.ways) {
    if (row.way === 'alone') continue;
    if (!ways.has(row.way)) ways.set(row.way, []);
    ways.get(row.way).push(row);
  }
  return ways;
}

// One point per way: the throughput of the others and the tail latency of the first program, both relative to alone.
export function pointsOf(share) {
  return [...waysOf(share)].map(([way, rows]) => ({
    way,
    x: rows.slice(1).reduce((sum, row) => sum + (row.throughput_over_alone ?? 0), 0) / (rows.length - 1),
    y: rows[0].p99_over_alone,
  })).filter(({x, y}) => Number.isFinite(x) && y !== undefined);
}

// The points that no other beats in both, from left to right.
export function frontOf(points) {
  const front = [];
  for (const point of [...points].sort((a, b) => b.x - a.x || a.y - b.y)) {
    if (front.length === 0 || point.y < front[front.length - 1].y) front.push(point);
  }
  return front.reverse();
}

function pictureOfWays(share, at) {
  const points = pointsOf(share);
  if (points.length === 0) return [];
  const [first, ...others] = share.programs;
  const title = `The 99th percentile of ${first} over alone, by what ${others.length === 1 ? others[0] : 'the others'} get${others.length === 1 ? 's' : ''} done`;
  const option = () => ({
    grid: {left: 64, right: 120, top: 16, bottom: 44},
    tooltip: {trigger: 'item', formatter: ({data: [x, y, way]}) => `${way}\nthroughput ${short(x)}, p99 ${short(y)}`},
    xAxis: {type: 'value', min: 0, name: 'throughput of the others over alone', nameLocation: 'middle', nameGap: 26},
    yAxis: {type: 'log', name: `p99 of ${first} over alone`, nameLocation: 'middle', nameGap: 48, nameRotate: 90},
    series: [
      {type: 'line', name: 'no other is better in both', data: frontOf(points).map(({x, y, way}) => [x, y, way]), showSymbol: false, silent: true, lineStyle: {color: ink().faint, width: 1.5}},
      {type: 'scatter', name: 'a way', data: points.map(({x, y, way}) => [x, y, way]), symbolSize: 9, itemStyle: {color: colour(0)},
        label: {show: true, position: 'right', color: ink().text, formatter: ({data: [, , way]}) => way}, labelLayout: {moveOverlap: 'shiftY'}},
    ],
  });
  return [chartFigure({id: `share-${at}`, title, height: 380, option,
    table: dataTable(title, ['way', numeric('throughput'), numeric('p99')], points.map(({way, x, y}) => [way, short(x), short(y)]))})];
}

function textIf(value, text) {
  return value === undefined ? '' : text(value);
}

function costsOfWays(share) {
  return dataTable(`Each way to share ${share.gpu}`,
    ['way', 'program', numeric('jobs'), numeric('p50 [us]'), numeric('p99 [us]'), numeric('longest [us]'), numeric('p99 over alone'), numeric('missed'), numeric('throughput over alone'), numeric('SMs'), numeric('DRAM')],
    share.ways.map((row) => [row.way, row.program, whole(row.jobs), textIf(row.p50_us, short), textIf(row.p99_us, short), textIf(row.max_us, short), textIf(row.p99_over_alone, short),
      row.deadlines ? whole(row.deadlines_missed) : '', textIf(row.throughput_over_alone, short), short(row.sm_use), textIf(row.dram_use, short)]));
}

// The loss of a program by way and cause, without gains.
export function lossesOf(share, program) {
  const rows = share.losses.filter((row) => row.program === program);
  const causes = [...new Set(rows.map((row) => row.cause))], ways = [...new Set(rows.map((row) => row.way))];
  const lost = (way, cause) => rows.filter((row) => row.way === way && row.cause === cause).reduce((sum, row) => sum + row.lost_us, 0);
  return {ways, parts: causes.map((cause) => ({cause, values: ways.map((way) => Math.max(0, lost(way, cause)))}))};
}

function lossFigures(share, at) {
  const colours = [...new Set(share.losses.map(({cause}) => cause))];  // the same in all figures
  return share.programs.flatMap((program, number) => {
    const {ways, parts} = lossesOf(share, program);
    if (!parts.some(({values}) => values.some((value) => value > 0))) return [];
    return [stackedBars({id: `share-${at}-lost-${number}`, title: `Time that ${program} lost by cause, mean of its jobs`, categories: ways, unit: 'us',
      parts: parts.map(({cause, values}) => ({name: cause, colour: colours.indexOf(cause), values}))})];
  });
}

addSection({
  order: 6,
  id: 'share',
  title: 'Ways to share',
  build(runs, data) {
    return data.shares.flatMap(({result}, at) => [costsOfWays(result), ...pictureOfWays(result, at), ...lossFigures(result, at),
      ...result.notes.map((note) => h('p', {class: 'note'}, note))]);
  },
});
