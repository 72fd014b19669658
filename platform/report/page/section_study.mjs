// Runs of a study (`gputlm sweep`): figures of each combination, with intervals over its seeds, and relative to the baseline.

import {h} from './dom.mjs';
import {barsWithIntervals} from './charts.mjs';
import {addSection} from './sections.mjs';
import {whole, words} from './format.mjs';
import {numberOf} from './names.mjs';
import {Table} from './table.mjs';

const kMaxStudyBars = 80;  // in a figure
// The metrics shown for each kind; the first that the study has.
const kMetrics = {run: [['antt', 'stp', 'strictf'], ['run_cycles']], application: [['slowdown'], ['cycles']], task: [['p99_cycles', 'missed']]};

// Columns that identify the point of a row and differ.
export function pointsOfStudy(table) {
  const names = Object.keys(table.packed);
  return names.slice(0, names.indexOf('of')).filter((name) => new Set(table.column(name)).size > 1);
}

// Figures of rows by kind and metric: {kind, metric, places, subjects, at(place, subject)}. `value`: the column of values.
export function studyFigures(table, value, points) {
  const figures = new Map();
  for (let row = 0; row < table.rows; ++row) {
    const kind = table.at('of', row), metric = table.at('metric', row), mean = table.at(value, row);
    if (mean === undefined) continue;
    const key = `${kind} ${metric}`;
    if (!figures.has(key)) figures.set(key, {kind, metric, places: new Set(), subjects: new Set(), cells: new Map()});
    const figure = figures.get(key);
    const place = points.map((name) => lastPart(table.at(name, row))).join(', ') || 'all', subject = table.at('name', row) ?? 'run';
    figure.places.add(place);
    figure.subjects.add(subject);
    const low = value === 'ratio' ? 'ratio_low' : 'low', high = value === 'ratio' ? 'ratio_high' : 'high';
    figure.cells.set(`${place}\n${subject}`, {mean, low: table.at(low, row), high: table.at(high, row)});
  }
  return [...figures.values()].map((figure) => ({
    ...figure, places: [...figure.places], subjects: [...figure.subjects], at: (place, subject) => figure.cells.get(`${place}\n${subject}`),
  }));
}

// The file name of a path.
function lastPart(value) {
  return String(value).replace(/^.*\//, '');
}

// The baseline of a table: "column=value" of the columns that the study has and the table leaves out.
export function baselineOf(table, baseline, points) {
  const left = points.flatMap((name) => {
    const compared = new Set(baseline.column(name));
    return [...new Set(table.column(name))].filter((value) => !compared.has(value)).map((value) => `${name}=${lastPart(value)}`);
  });
  return left.join(', ') || 'the baseline';
}

const kNames = {stp: 'STP', antt: 'ANTT', strictf: 'StrictF', p99_cycles: '99th percentile of responses [cycles]', missed: 'deadlines missed', run_cycles: 'cycles'};

function titleOf({kind, metric}) {
  const name = kNames[metric] ?? words(metric);
  return `${name[0].toUpperCase()}${name.slice(1)}${kind === 'run' ? ' of the run' : ` by ${kind}`}`;
}

// The figures that are drawn.
export function judgedBy(figures) {
  return Object.entries(kMetrics).flatMap(([kind, choices]) => {
    const chosen = choices.map((metrics) => figures.filter((figure) => figure.kind === kind && metrics.includes(figure.metric)))
      .find((found) => found.length > 0);
    return chosen ?? [];
  });
}

// Colours are those of the names in the charts of runs.
export function barsOfStudy({kind, subjects, at}, places) {
  return subjects.map((name) => ({name, colour: kind === 'run' ? 0 : numberOf(name), values: places.map((place) => at(place, name))}));
}

function chartOf(figure, id, title, base) {
  const {places, subjects} = figure;
  const shown = places.slice(0, Math.max(1, Math.floor(kMaxStudyBars / subjects.length)));
  return [
    barsWithIntervals({id, title, categories: shown, unit: base === undefined ? kNames[figure.metric] ?? words(figure.metric) : 'ratio', base,
      bars: barsOfStudy(figure, shown)}),
    shown.length < places.length ? h('p', {class: 'note'}, `The first ${whole(shown.length)} of ${whole(places.length)} combinations; the study's files have all.`) : undefined,
  ];
}

addSection({
  order: 8,
  id: 'study',
  title: 'Study',
  build(runs, data) {
    return data.studies.flatMap(({path, summary, baseline}, at) => {
      const table = new Table(summary), points = pointsOfStudy(table);
      const seeds = Math.max(...table.column('seeds'));
      const text = `${path}: ${points.length ? points.map((name) => `${name} (${new Set(table.column(name)).size})`).join(', ') : 'one combination'}; `
        + (seeds > 1 ? `means of ${seeds} seeds with their 95 % confidence intervals (Student's t)` : 'one seed');
      const compared = baseline && new Table(baseline);
      const over = compared ? judgedBy(studyFigures(compared, 'ratio', points)) : [];
      return [
        h('p', {}, text),
        ...judgedBy(studyFigures(table, 'mean', points)).flatMap((figure, number) => chartOf(figure, `study-${at}-${number}`, titleOf(figure))),
        ...over.flatMap((figure, number) =>
          chartOf(figure, `study-${at}-over-${number}`, `${titleOf(figure)}, over ${baselineOf(table, compared, points)}`, 1)),
      ];
    });
  },
});
