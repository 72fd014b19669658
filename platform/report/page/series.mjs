// Counters over time: series.csv (docs/result.md).

import {words} from './format.mjs';
import {numberOf} from './names.mjs';

// [[us, value]] of an application's lines; undefined: of the lines without a name. `count(at)` returns the count of a line;
// `at(name)` is a column of it, 0 if empty. The value is a mean per cycle, in the middle of the interval.
export function seriesOf(run, application, count) {
  const {series} = run.tables;
  const points = [];
  for (let row = 0; row < series.rows; ++row) {
    if (series.at('application', row) !== application) continue;
    const start = series.at('start_cycle', row), cycles = series.at('interval_cycles', row);
    points.push([run.us(start + cycles / 2), count((name) => series.at(name, row) ?? 0) / cycles]);
  }
  return points;
}

// Combines lines with the same x point by point.
function combined(all, combine) {
  return all[0].map(([x], at) => [x, combine(all.map((points) => points[at][1]))]);
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

function suffixes(series, prefix) {
  return Object.keys(series.packed).filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}

// The figures of a run, [{id, ...}] as areaChart() takes them.
export function seriesFigures(run) {
  const {series} = run.tables;
  const names = run.result.applications.map((application) => application.name);
  const byApplication = (count, scale = 1) => names.map((name) => ({
    name, colour: numberOf(name), points: seriesOf(run, name, count).map(([x, y]) => [x, y * scale]),
  })).filter((line) => line.points.some(([, y]) => y > 0));
  const overall = (column) => combined(names.map((name) => seriesOf(run, name, (at) => at(column))), sum);
  const share = (hits, misses) => combined([overall(hits), overall(misses)], ([part, rest]) => (part + rest > 0 ? part / (part + rest) : 0));
  const of = (lines) => lines.filter((line) => line.points.some(([, y]) => y > 0));
  const gigabytes = run.result.configuration.dram.burst_bytes * run.mhz / 1000;
  const dram = suffixes(series, 'dram_channel.cycles.wasted_by.');
  const dramCycles = (column) => seriesOf(run, undefined, (at) => at(`dram_channel.cycles.${column}`));
  const figures = [
    {id: 'ipc', title: 'Warp instructions in a cycle', yName: 'IPC', lines: byApplication((at) => at('block.instructions'))},
    {id: 'threads', title: 'Threads on the SMs', yName: 'threads', lines: byApplication((at) => at('occupancy.thread_cycles'))},
    {
      id: 'warps', title: 'Warps by activity', yName: 'warps', lines: of([
        {name: 'issued', colour: 2, points: overall('block.instructions')},
        ...suffixes(series, 'block.stall_warp_cycles.').map((reason, at) => ({
          name: words(reason), colour: [0, 1, 3, 4, 5, 6, 7, 8][at % 8], points: overall(`block.stall_warp_cycles.${reason}`),
        })),
      ]),
    },
    {
      id: 'bandwidth', title: 'Bandwidth of the DRAM', yName: 'GB/s',
      lines: byApplication((at) => at('dram_channel.applications.reads') + at('dram_channel.applications.writes'), gigabytes),
    },
    {
      id: 'hits', title: 'Hit rates', yName: 'share', yMost: 1, stacked: false, lines: of([
        {name: 'L1', colour: 0, points: share('block.l1.sector_hits', 'block.l1.sector_misses')},
        {name: 'L2, reads', colour: 1, points: share('block.l2.read_hits', 'block.l2.read_misses')},
        {name: 'DRAM rows', colour: 2, points: combined([overall('dram_channel.applications.row_hits'), overall('dram_channel.applications.row_misses'),
          overall('dram_channel.applications.row_conflicts')], ([hits, ...others]) => (hits + sum(others) > 0 ? hits / (hits + sum(others)) : 0))},
      ]),
    },
    {
      id: 'dram-cycles', title: 'Cycles of the DRAM', yName: 'channels', lines: of([
        {name: 'useful', colour: 2, points: dramCycles('useful')},
        ...dram.map((reason, at) => ({name: `wasted: ${words(reason)}`, colour: [0, 1, 3, 4, 5, 6, 7, 8][at % 8], points: dramCycles(`wasted_by.${reason}`)})),
      ]).map((line) => ({...line, points: line.points.map(([x, y]) => [x, y * run.mhz / run.result.configuration.dram.command_mhz])})),
    },
  ];
  return figures.filter((figure) => figure.lines.length > 0);
}
