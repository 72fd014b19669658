// The files of `--probe responses`: histograms of response times, percentiles with their confidence, and the parts of the
// slowest job of each task.

import {lineChart, stackedBars} from './charts.mjs';
import {dataTable, h, numeric} from './dom.mjs';
import {addSection} from './sections.mjs';
import {percent, short, some, whole, words} from './format.mjs';
import {numberOf} from './names.mjs';

const kHead = ['name', 'application', numeric('jobs'), numeric('percentile'), numeric('value [us]'), numeric('95 % confidence: from'), numeric('to'), ''];

// Rows of a table as objects: those of tasks, or of launches if there is no task.
export function rowsOf(table) {
  const names = Object.keys(table?.packed ?? {});
  const all = Array.from({length: table?.rows ?? 0}, (_, row) => Object.fromEntries(names.map((name) => [name, table.at(name, row)])));
  const tasks = all.filter((row) => row.of === 'task' || row.task !== undefined);
  return tasks.length > 0 ? tasks : all.filter((row) => row.of === 'launch');
}

function percentileRows(run, rows) {
  return rows.map((row) => [
    row.name, row.application, whole(row.jobs), `p${row.percentile}`, short(run.us(row.value_cycles)),
    ...[row.low_cycles, row.high_cycles].map((cycles) => (cycles === undefined ? '' : short(run.us(cycles)))),
    row.low_cycles === undefined ? `too few jobs: ${whole(row.jobs_needed)} are needed` : '',
  ]);
}

// A histogram as a line with steps: each bin begins at its value.
function histogramLines(run, rows) {
  const names = [...new Set(rows.map((row) => row.name))];
  return names.map((name) => {
    const bins = rows.filter((row) => row.name === name);
    const last = bins[bins.length - 1];
    return {name, colour: numberOf(name), step: 'end', points: [[run.us(bins[0].from_cycles), 0], ...bins.map((bin) => [run.us(bin.from_cycles), bin.jobs]), [run.us(last.to_cycles), 0]]};
  });
}

// Bars for the slowest and the fastest job of each task, by the parts of their time.
function partBars(run, number, rows) {
  const tasks = [...new Set(rows.map((row) => row.task))];
  const bars = tasks.flatMap((task) => {
    const own = rows.filter((row) => row.task === task);
    return [[`${own[0].job}, slowest`, own, 'cycles'], [`${own[0].best_job}, fastest`, own, 'best_cycles']];
  });
  return stackedBars({
    id: `worst-parts-${number}`, title: `Slowest and fastest job of each task in ${run.name}, by what they waited for`, categories: bars.map(([name]) => name),
    unit: 'response time [us]', parts: rows.filter((row) => row.task === tasks[0]).map(({part}, at) => ({
      name: words(part), colour: at, values: bars.map(([, own, column]) => run.us(own[at][column])),
    })),
  });
}

const kWorstHead = ['job', numeric('from [us]'), numeric('for [us]'), 'what', 'command', 'held up by', numeric('its share')];

addSection({
  order: 71,
  id: 'worst',
  title: 'Worst cases',
  build(runs) {
    return runs.flatMap((run, number) => {
      const histogram = rowsOf(run.tables.responses_histogram);
      if (histogram.length === 0) return [];
      const percentiles = rowsOf(run.tables.responses_percentiles);
      const parts = rowsOf(run.tables.responses_parts), worst = rowsOf(run.tables.responses_worst);
      const short_of = [...new Set(percentiles.filter((row) => row.low_cycles === undefined).map((row) => `p${row.percentile} of ${row.name}`))];
      return [
        lineChart({id: `histogram-${number}`, title: `Number of jobs of ${run.name} by response time`, xName: 'response time [us]', yName: 'jobs', lines: histogramLines(run, histogram)}),
        dataTable(`Percentiles in ${run.name}`, kHead, percentileRows(run, percentiles)),
        short_of.length > 0 && h('p', {class: 'note'}, `The number of jobs cannot support ${some(short_of, 6)}: the value is that of this run's jobs, not a bound on the percentile.`),
        parts.length > 0 && partBars(run, number, parts),
        worst.length > 0 && dataTable(`The slowest job of each task in ${run.name}, in order of time`, kWorstHead, worst.map((row) => [
          row.job, short(run.us(row.from_cycle)), short(run.us(row.cycles)), words(row.part), row.command ?? '', row.held_up_by ?? '',
          percent(row.held_up_share)])),
      ].filter(Boolean);
    });
  },
});
