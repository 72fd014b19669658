// What was there and what went on over time.

import {lineChart} from './charts.mjs';
import {dataTable, numeric} from './dom.mjs';
import {addSection} from './sections.mjs';
import {short} from './format.mjs';
import {piecesIn} from './gantt_layout.mjs';
import {meanOverTime} from './residency.mjs';

const kBins = 400, kTableRows = 40;

// Lines as a table of fewer rows: means of neighbours.
export function thinned(points, rows) {
  const step = Math.max(1, Math.ceil(points.length / rows));
  const list = [];
  for (let at = 0; at < points.length; at += step) {
    const part = points.slice(at, at + step);
    list.push([part[0][0], part.reduce((sum, [, y]) => sum + y, 0) / part.length]);
  }
  return list;
}

function lineTable(title, lines) {
  const columns = lines.map((line) => thinned(line.points, kTableRows));
  return dataTable(title, [numeric('from [us]'), ...lines.map((line) => numeric(line.name))],
    columns[0].map(([x], row) => [short(x), ...columns.map((column) => short(column[row]?.[1]))]));
}

// Threads on the SMs, by application.
function residency(run, number) {
  const {boxes, launches} = run;
  const ends = boxes.column('end'), launchOf = boxes.column('launch'), cycles = boxes.column('cycles');
  const names = run.result.applications.map((application) => application.name);
  const there = {start: [], end: [], weight: [], group: []};
  for (let box = 0; box < boxes.rows; ++box) {
    const launch = launches[launchOf[box]];
    for (const [start, end] of piecesIn(run.onEngine.get(launch.application), ends[box] - cycles[box], ends[box])) {
      there.start.push(start), there.end.push(end), there.weight.push(launch.threads), there.group.push(names.indexOf(launch.application));
    }
  }
  const means = meanOverTime(there, run.end, kBins);
  const lines = names.map((name, at) => ({name, colour: at, mean: means.get(at)})).filter((line) => line.mean).map(({name, colour, mean}) => ({
    name, colour, points: Array.from(mean, (value, bin) => [run.us((bin + 0.5) * run.end / kBins), value]),
  }));
  const title = `Threads on the SMs of ${run.name}, by application`;
  return lineChart({id: `residency-${number}`, title, lines, area: true, xName: 'time [us]', yName: 'threads', table: lineTable(title, lines)});
}

addSection({
  order: 40,
  id: 'time',
  title: 'Over time',
  build(runs) {
    return runs.flatMap((run, number) => (run.boxes?.rows > 0 ? [residency(run, number)] : []));
  },
});
