// Computations of the sections of a report.

import assert from 'node:assert/strict';
import test from 'node:test';
import {bytes, dimensions, percent, ratio, short, some, tick, whole} from '../../platform/report/page/format.mjs';
import {meanOverTime} from '../../platform/report/page/residency.mjs';
import {nameRuns, withoutNumber} from '../../platform/report/page/run.mjs';
import {differences, slowdowns} from '../../platform/report/page/section_compare.mjs';
import {barsOfStudy, baselineOf, judgedBy, pointsOfStudy, studyFigures} from '../../platform/report/page/section_study.mjs';
import {placesOfKey, standalone} from '../../platform/report/page/saving.mjs';
import {frontOf, lossesOf, pointsOf} from '../../platform/report/page/section_share.mjs';
import {fairness} from '../../platform/report/page/section_verdict.mjs';
import {marksOf, percentile, responsesOf} from '../../platform/report/page/section_responses.mjs';
import {rowsOf} from '../../platform/report/page/section_worst.mjs';
import {Legend} from '../../platform/report/page/gantt_rows.mjs';
import {numberNames, numberOf} from '../../platform/report/page/names.mjs';
import {seriesOf} from '../../platform/report/page/series.mjs';
import {thinned} from '../../platform/report/page/charts.mjs';

// A table out of rows of objects.
function tableOf(...rows) {
  const columns = Object.keys(rows[0] ?? {});
  return {
    rows: rows.length,
    column: (name) => (columns.includes(name) ? rows.map((row) => row[name]) : undefined),
    at: (name, row) => rows[row][name],
  };
}

// As `gputlm sweep` writes summary.csv and baseline.csv (docs/sweep.md).
function studyOf(...rows) {
  const table = tableOf(...rows);
  return {...table, packed: Object.fromEntries(Object.keys(rows[0]).map((name) => [name, {}]))};
}

function runOf(...kernels) {
  return {
    us: (cycles) => cycles / 1000, tables: {},
    kernels: tableOf(...kernels.map(([kernel, execution_cycles], at) => ({
      kernel, name: kernel, application: 'a', stream: 's', grid: '[1,1,1]', block: '[32,1,1]', first_block_cycle: at, execution_cycles, response_cycles: 2 * execution_cycles,
    }))),
  };
}

test('a slowdown is over the run in which the kernel was alone', () => {
  const [a, b] = slowdowns([runOf(['a', 3000], ['b', 1000]), runOf(['a', 2000])], 'execution_cycles');
  assert.deepEqual(a.over, [1.5, 1]);
  assert.equal(a.alone, true);
  assert.equal(b, undefined);
});

test('launches of a kernel count with their mean time', () => {
  const [a] = slowdowns([runOf(['a', 1000], ['a', 3000]), runOf(['a', 4000])], 'execution_cycles');
  assert.deepEqual(a.times, [2, 4]);
});

test('fairness is of kernels that a run has beside each other and others have alone', () => {
  const both = runOf(['a', 3000], ['b', 4000], ['c', 5000]);
  const [only] = fairness([runOf(['a', 2000]), runOf(['b', 1000]), both]);
  assert.equal(only.run, both);
  assert.deepEqual([only.stp, only.antt, only.fairness, only.worst], [1 / 1.5 + 1 / 4, 2.75, 1.5 / 4, 4]);
  assert.deepEqual(fairness([runOf(['a', 2000]), both]), []);
});

test('differences are what is not the same in all, by its full name', () => {
  assert.deepEqual(differences([{a: 1, b: {c: 2, d: [1, 2]}}, {a: 1, b: {c: 3, d: [1, 2]}, e: 'x'}]), [['b.c', [2, 3]], ['e', [undefined, 'x']]]);
});

test('percentiles are by nearest rank', () => {
  const sorted = Float64Array.from({length: 200}, (_, i) => i + 1);
  assert.deepEqual([50, 95, 99, 100].map((percents) => percentile(sorted, percents)), [100, 190, 198, 200]);
  assert.equal(percentile([7], 50), 7);
});

test('responses of jobs are told by task; a deadline that was missed is not met', () => {
  const jobs = tableOf(
    {task: 't', application: 'a', response_cycles: 30, deadline_cycles: 20, deadline_met: 'false'},
    {task: 't', application: 'a', response_cycles: 10, deadline_cycles: 20, deadline_met: 'true'},
    {task: 'u', application: 'a', response_cycles: 5});
  const [t, u] = responsesOf({tables: {jobs}});
  assert.deepEqual([Array.from(t.responses), t.met, t.judged, t.deadline], [[10, 30], 1, 2, 20]);
  assert.deepEqual([Array.from(u.responses), u.judged], [[5], 0]);
});

test('the mean over time of what is there is exact, wherever boxes begin and end', () => {
  const boxes = {start: [0, 5, 12], end: [10, 15, 13], weight: [2, 4, 10], group: [0, 1, 1]};
  const means = meanOverTime(boxes, 20, 4);
  assert.deepEqual(Array.from(means.get(0)), [2, 2, 0, 0]);
  assert.deepEqual(Array.from(means.get(1)), [0, 4, 6, 0]);
});

test('what is over time sums up to what all boxes hold', () => {
  const start = [], end = [], weight = [], group = [];
  for (let box = 0; box < 100; ++box) start.push(box * 7.3), end.push(box * 7.3 + 1 + (box * 31) % 90), weight.push(box % 5 + 1), group.push(0);
  const mean = meanOverTime({start, end, weight, group}, 1000, 37).get(0);
  const held = start.reduce((sum, value, box) => sum + weight[box] * (end[box] - value), 0);
  assert.ok(Math.abs(mean.reduce((sum, value) => sum + value) * 1000 / 37 - held) < 1e-6);
});

test('a line is thinned to means of neighbours', () => {
  assert.deepEqual(thinned([[0, 1], [1, 3], [2, 5], [3, 7]], 2), [[0, 2], [2, 6]]);
});

test('labels lose what tells repetitions apart, and nothing else', () => {
  assert.deepEqual(['k#2', 'k@3', 'k#2@3', 'k#x', '#1 of k'].map(withoutNumber), ['k', 'k', 'k', 'k#x', '#1 of k']);
});

test('numbers read well', () => {
  assert.deepEqual([short(1234567.8), short(123.456), short(1.23456), short(0.0123), short(0), short(2e-9), short(undefined)], ['1,234,568', '123.5', '1.235', '0.012', '0', '2.00e-9', '']);
  assert.deepEqual([whole(1e6), percent(0.1234), percent(NaN), ratio(1.5), ratio(Infinity)], ['1,000,000', '12.3 %', '', '1.500 ×', '']);
  assert.deepEqual([bytes(100), bytes(65536), bytes(undefined)], ['100 B', '64.00 KiB', '']);
  assert.deepEqual([dimensions('[16,8,1]'), dimensions('[1,1,1]'), dimensions('[4,1,2]')], ['16 × 8', '1', '4 × 1 × 2']);
  assert.equal(some(['a', 'b', 'c', 'd'], 2), 'a, b and 2 more');
});

test('a series has a point an interval, in its middle, of what was counted in a cycle', () => {
  const series = tableOf(
    {start_cycle: 0, interval_cycles: 1000, application: 'a', n: 500}, {start_cycle: 0, interval_cycles: 1000, application: undefined, m: 10},
    {start_cycle: 1000, interval_cycles: 500, application: 'a', n: 500}, {start_cycle: 1000, interval_cycles: 500, application: undefined, m: 20});
  const run = {us: (cycles) => cycles / 1000, tables: {series}};
  assert.deepEqual(seriesOf(run, 'a', (at) => at('n')), [[0.5, 0.5], [1.25, 1]]);
  assert.deepEqual(seriesOf(run, undefined, (at) => at('m') * 2), [[0.5, 0.02], [1.25, 0.08]]);
});

test('of what --probe responses wrote the tasks are shown, or else the launches', () => {
  const table = (...rows) => ({...tableOf(...rows), packed: rows[0]});
  assert.deepEqual(rowsOf(table({of: 'application', name: 'a'}, {of: 'task', name: 't'}, {of: 'launch', name: 't'})).map((row) => row.name), ['t']);
  assert.deepEqual(rowsOf(table({of: 'application', name: 'a'}, {of: 'launch', name: 'k'})).map((row) => row.name), ['k']);
  assert.deepEqual(rowsOf(undefined), []);
});

test('a front of ways has those that no other beats in both', () => {
  const row = (way, program, p99, throughput) => ({way, program, p99_over_alone: p99, throughput_over_alone: throughput});
  const share = {
    programs: ['a', 'b'],
    ways: [row('alone', 'a', 1, 1), row('alone', 'b', 1, 1), ...[['s', 2, 0.5], ['t', 3, 0.8], ['u', 2, 0.4], ['v', 4, 0.8]].flatMap(([way, p99, throughput]) =>
      [row(way, 'a', p99, 0.9), row(way, 'b', 1.5, throughput)])],
    losses: [{way: 's', program: 'a', cause: 'places', lost_us: 3}, {way: 's', program: 'a', cause: 'places', lost_us: 2}, {way: 't', program: 'a', cause: 'host', lost_us: -1}],
  };
  assert.deepEqual(frontOf(pointsOf(share)).map(({way}) => way), ['s', 't']);
  assert.deepEqual(lossesOf(share, 'a'), {ways: ['s', 't'], parts: [{cause: 'places', values: [5, 0]}, {cause: 'host', values: [0, 0]}]});
});

test('a name has one colour in all charts of a page, whichever run they are of', () => {
  const run = (applications, ...kernels) => ({...runOf(...kernels), result: {applications: applications.map((name) => ({name}))}});
  const all = run(['camera', 'control', 'hog'], ['detect#1', 1], ['steer', 1]), without = run(['control', 'hog'], ['steer', 1]);
  numberNames([all, without]);
  assert.deepEqual(['camera', 'control', 'hog', 'detect', 'steer'].map(numberOf), [0, 1, 2, 3, 4]);
  const [inAll, inOther] = [new Legend(), new Legend()].map((legend) => (legend.number('waits'), legend));
  assert.equal(inAll.number('steer'), 5);
  assert.equal(inOther.number('control'), 2);
  assert.equal(inOther.number('steer'), inAll.number('steer'));
  assert.equal(inOther.entries.get(5), 'steer');
  numberNames([without, all]);
  assert.equal(numberOf('control'), 0);
  const jobs = tableOf({task: 'steer', application: 'control', response_cycles: 3});
  assert.equal(numberOf(responsesOf({...without, tables: {jobs}})[0].task), 3);
});

test('a study is drawn by what differs and by what it is judged by', () => {
  const row = (scheduler, name, metric, mean) => ({gpu: 'gtx480', scheduler, workload: 'a.yaml', of: name ? 'application' : 'run', name: name || undefined, metric, mean, low: mean - 1, high: mean + 1});
  const table = studyOf(row('lrr', '', 'run_cycles', 9), row('lrr', 'a', 'cycles', 10), row('lrr', 'a', 'ipc', 1), row('gto', '', 'run_cycles', 8), row('gto', 'a', 'cycles', 20), row('gto', 'a', 'ipc', 2));
  const points = pointsOfStudy(table);
  assert.deepEqual(points, ['scheduler']);
  const drawn = judgedBy(studyFigures(table, 'mean', points));
  assert.deepEqual(drawn.map(({kind, metric}) => [kind, metric]), [['run', 'run_cycles'], ['application', 'cycles']]);
  assert.deepEqual(drawn[1].places, ['lrr', 'gto']);
  assert.deepEqual(drawn[1].at('gto', 'a'), {mean: 20, low: 19, high: 21});
  assert.equal(drawn[1].at('gto', 'b'), undefined);
  const baseline = studyOf({...row('gto', 'a', 'cycles', 0), ratio: 2, ratio_low: 1.5, ratio_high: 2.5});
  assert.equal(baselineOf(table, baseline, points), 'scheduler=lrr');
  assert.deepEqual(studyFigures(baseline, 'ratio', points)[0].at('gto', 'a'), {mean: 2, low: 1.5, high: 2.5});
});

test('a chart that is saved has the names of its colours, in lines that fit', () => {
  assert.deepEqual(placesOfKey(['a', 'b'], 700).map(([, y]) => y), [0, 0]);
  const places = placesOfKey(['long name '.repeat(3), 'long name '.repeat(3)], 300);
  assert.ok(places[1][1] > places[0][1]);
  const file = standalone('<svg><path/></svg>', {title: 'a < b', key: [['x & y', 1]], width: 700, height: 100, ink: {text: '#000', paper: '#fff'}});
  assert.match(file, /^<svg xmlns=.*<title>a &#60; b<\/title>.*x &#38; y.*<path\/>.*<\/svg>\n$/s);
});

test('runs are called as the folder that tells them apart', () => {
  const namesOf = (...paths) => {
    const runs = paths.map((path) => ({path}));
    nameRuns(runs);
    return runs.map((run) => run.name);
  };
  assert.deepEqual(namesOf('/data/one/', '/data/two/result.json'), ['one', 'two']);
  assert.deepEqual(namesOf('/data/a/out', '/data/b/out', 'other'), ['a/out', 'b/out', 'other']);
  assert.deepEqual(namesOf('out', '/data/out'), ['out', 'data/out']);
  assert.deepEqual(namesOf('/data/out', '/data/out'), ['/data/out', '/data/out']);
});

test('an axis has no zeros that say nothing', () => {
  assert.deepEqual([0, 1, 0.2, 0.30000000000000004, 12.5, 1000, 2500000, -3].map(tick), ['0', '1', '0.2', '0.3', '12.5', '1,000', '2,500,000', '-3']);
});

test('tasks with one deadline share its mark', () => {
  assert.deepEqual(marksOf([{task: 'detect', deadline: 10}, {task: 'track', deadline: 5}, {task: 'hog'}, {task: 'plan', deadline: 10}]),
    [{name: 'detect, plan: deadline', deadline: 10}, {name: 'track: deadline', deadline: 5}]);
});

test('a study has the colours of the runs beside it, the first ones', () => {
  const table = studyOf({workload: 'a', of: 'run', name: undefined, metric: 'run_cycles', mean: 9}, {workload: 'a', of: 'application', name: 'camera', metric: 'ipc', mean: 1},
    {workload: 'a', of: 'application', name: 'robot', metric: 'cycles', mean: 3}, {workload: 'b', of: 'application', name: 'robot', metric: 'cycles', mean: 4});
  numberNames([{result: {applications: [{name: 'hog'}, {name: 'robot'}]}, tables: {}, kernels: tableOf()}], [table]);
  assert.deepEqual(['camera', 'robot', 'hog'].map(numberOf), [0, 1, 2]);
  const figure = studyFigures(table, 'mean', ['workload']).find(({metric}) => metric === 'cycles');
  assert.deepEqual(barsOfStudy(figure, figure.places).map(({name, colour, values}) => [name, colour, values.map(({mean}) => mean)]), [['robot', 1, [3, 4]]]);
});
