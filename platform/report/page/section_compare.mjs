// Several runs: differences of their inputs and results, and slowdowns of kernels.

import {dataTable, h, numeric} from './dom.mjs';
import {addSection} from './sections.mjs';
import {dimensions, ratio, short, whole, words} from './format.mjs';
import {kernelGroups, statistics} from './groups.mjs';
import {chartFigure, ink} from './figures.mjs';
import {colour, decal} from './colours.mjs';

// The leaves of an object: {"a.b": value}.
export function flat(object, path = '', into = {}) {
  for (const [key, value] of Object.entries(object ?? {})) {
    const name = path ? `${path}.${key}` : key;
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) flat(value, name, into);
    else into[name] = Array.isArray(value) ? JSON.stringify(value) : value;
  }
  return into;
}

// The leaves that differ: [[name, a value for each object]].
export function differences(objects) {
  const all = objects.map((object) => flat(object));
  const names = [...new Set(all.flatMap((one) => Object.keys(one)))];
  return names.map((name) => [name, all.map((one) => one[name])]).filter(([, values]) => new Set(values).size > 1);
}

function figures(run) {
  const {result} = run;
  return {
    'simulated time [us]': run.us(result.cycles), 'warp instructions': result.total.instructions, 'IPC': result.total.ipc,
    ...Object.fromEntries(result.applications.map((application) => [`IPC of ${application.name} over the run`, application.run?.ipc])),
    'stalls [warp cycles]': result.total.stall_warp_cycles, 'memory': result.total.memory, 'l1': result.total.l1, 'l2': result.total.l2,
    'dram': {row_hits: result.dram.total.row_hits, row_conflicts: result.dram.total.row_conflicts, cycles: result.dram.total.cycles},
    'deadlines met': result.total.deadlines_met, 'blocks taken off': result.applications.reduce((sum, application) => sum + (application.engine?.preempted_blocks ?? 0), 0),
  };
}

function figureTable(runs) {
  const rows = differences(runs.map(figures)).map(([name, values]) => [
    words(name), ...values.map((value) => (typeof value === 'number' ? (Number.isInteger(value) ? whole(value) : short(value)) : value ?? '')),
    ...values.slice(1).map((value) => ratio(value / values[0])),
  ]);
  return dataTable('Figures that differ', ['figure', ...runs.map((run) => numeric(run.name)),
    ...runs.slice(1).map((run) => numeric(`${run.name} over ${runs[0].name}`))], rows);
}

function configurationTable(runs) {
  const rows = differences(runs.map((run) => ({gpu: run.result.gpu, seed: run.result.seed, ...run.result.configuration})))
    .map(([name, values]) => [name, ...values.map((value) => String(value ?? ''))]);
  if (rows.length === 0) return h('p', {}, 'GPU, configuration and seed are the same in all runs.');
  return dataTable('Parameters that differ', ['parameter', ...runs.map((run) => run.name)], rows);
}

addSection({
  order: 90,
  id: 'differences',
  title: 'Differences',
  build(runs) {
    return runs.length < 2 ? [] : [configurationTable(runs), figureTable(runs)];
  },
});

// By kernel, the mean of a time of its launches in each run, and its ratio to the mean in the run with the fewest other
// kernels; `alone`: that run has none. `time`: a column of Run.kernels; `sizes`: the kernel's grids and blocks.
export function slowdowns(runs, time) {
  const kernels = new Map();
  runs.forEach((run, at) => {
    const groups = kernelGroups(run);
    for (const group of groups) {
      if (!kernels.has(group.kernel)) {
        kernels.set(group.kernel, {kernel: group.kernel, times: runs.map(() => undefined), others: runs.map(() => Infinity), sizes: new Set()});
      }
      const entry = kernels.get(group.kernel);
      if (entry.times[at] !== undefined) continue;  // the first of its streams
      entry.sizes.add(['grid', 'block'].map((name) => dimensions(run.kernels.at(name, group.rows[0]))).join(' blocks of '));
      entry.times[at] = run.us(statistics(run.kernels.column(time), group.rows).mean);
      entry.others[at] = groups.length - 1;
    }
  });
  return [...kernels.values()].filter((entry) => entry.times.filter((value) => value !== undefined).length > 1).map((entry) => {
    const fewest = Math.min(...entry.others);
    const base = entry.others.indexOf(fewest);
    return {...entry, base, alone: fewest === 0, over: entry.times.map((value) => (value === undefined ? undefined : value / entry.times[base]))};
  });
}

const kMaxBars = 12;

function slowdownFigure(runs, name, kernels) {
  const table = dataTable(`Mean ${name}, and what it is of that in the run it is compared with`,
    ['kernel', 'compared with', ...runs.map((run) => numeric(`${run.name} [us]`)), ...runs.map((run) => numeric(run.name))],
    kernels.map((entry) => [entry.sizes.size > 1 ? `${entry.kernel}: ${[...entry.sizes].join(', ')}` : entry.kernel,
      `${runs[entry.base].name}${entry.alone ? ' (alone)' : ''}`,
      ...entry.times.map((value) => short(value)), ...entry.over.map((value) => (value === undefined ? '' : ratio(value)))]));
  const shown = kernels.slice(0, kMaxBars);
  const option = () => ({
    grid: {left: 64, right: 24, top: 12, bottom: 40},
    tooltip: {trigger: 'item', formatter: (at) => `${at.name} in ${at.seriesName}: ${ratio(at.value)}`},
    xAxis: {type: 'category', data: shown.map((entry) => entry.kernel), axisLabel: {hideOverlap: true}},
    yAxis: {type: 'value', name: 'times as long', nameLocation: 'middle', nameGap: 40, nameRotate: 90},
    series: runs.map((run, at) => ({
      type: 'bar', name: run.name, barMaxWidth: 40, data: shown.map((entry) => entry.over[at] ?? '-'),
      itemStyle: {color: colour(at), decal: decal(at, false)},
      markLine: at === 0 ? {symbol: 'none', silent: true, label: {show: false}, lineStyle: {color: ink().text, type: 'dashed'}, data: [{yAxis: 1}]} : undefined,
    })),
  });
  const more = kernels.length > kMaxBars ? `, the first ${kMaxBars} kernels` : '';
  return chartFigure({
    id: `slowdowns-${name.split(' ')[0]}`, title: `Mean ${name} over that in the run compared with${more}`, height: 280, option,
    key: runs.map((run, at) => [run.name, at]), table,
  });
}

addSection({
  order: 80,
  id: 'slowdowns',
  title: 'Slowdowns',
  build(runs) {
    const execution = slowdowns(runs, 'execution_cycles');
    if (execution.length === 0) return [];
    return [
      h('p', {class: 'note'}, 'Each kernel is compared with itself in the run in which the fewest other kernels ran: alone, if there is such a run. ' +
        'Execution is from the start of its first block to the end of its last, response from its release to when the host knew of its end.'),
      h('div', {class: 'grid'}, slowdownFigure(runs, 'execution time', execution), slowdownFigure(runs, 'response time', slowdowns(runs, 'response_cycles'))),
    ];
  },
});
