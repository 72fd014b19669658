// Response times: from a job's release until the host knows of its end.

import {lineChart} from './charts.mjs';
import {dataTable, h, numeric} from './dom.mjs';
import {addSection} from './sections.mjs';
import {short, some, whole} from './format.mjs';
import {numberOf} from './names.mjs';
import {withoutNumber} from './run.mjs';

const kMaxPoints = 400;  // of a line

// By task and application: {task, application, responses (sorted), deadline, met}. Jobs of tasks; if a run has none,
// launches of a kernel that ended more than once.
export function responsesOf(run) {
  const groups = new Map();
  const add = (task, application, response, deadline, met) => {
    const key = JSON.stringify([task, application]);
    if (!groups.has(key)) groups.set(key, {task, application, responses: [], deadline, met: 0, judged: 0});
    const group = groups.get(key);
    group.responses.push(response);
    if (deadline !== undefined) ++group.judged;
    if (met === 'true') ++group.met;
  };
  const {jobs} = run.tables;
  const table = jobs ?? run.kernels;
  for (let row = 0; row < table.rows; ++row) {
    const task = jobs ? String(jobs.at('task', row)) : withoutNumber(String(table.at('kernel', row)));
    add(task, String(table.at('application', row)), table.at('response_cycles', row), table.at('deadline_cycles', row), table.at('deadline_met', row));
  }
  const all = [...groups.values()].filter((group) => jobs || group.responses.length > 1 || group.judged > 0);
  for (const group of all) group.responses = Float64Array.from(group.responses).sort();
  return all;
}

// Nearest rank.
export function percentile(sorted, percents) {
  return sorted[Math.max(0, Math.ceil(percents * sorted.length / 100) - 1)];
}

// Points of the distribution: the share of jobs that responded within a time.
function distribution(run, responses) {
  const step = Math.max(1, Math.floor(responses.length / kMaxPoints));
  const points = [[run.us(responses[0]), 0]];
  for (let at = 0; at < responses.length; at += step) points.push([run.us(responses[at]), (at + 1) / responses.length]);
  points.push([run.us(responses[responses.length - 1]), 1]);
  return points;
}

const kResponseHead = ['task', 'application', numeric('jobs'), numeric('deadline [us]'), numeric('met'), numeric('min [us]'), numeric('mean'), numeric('p50'),
  numeric('p95'), numeric('p99'), numeric('max')];

function responseRows(run, groups) {
  return groups.map(({task, application, responses, deadline, met, judged}) => [
    task, application, whole(responses.length), deadline === undefined ? '' : short(run.us(deadline)),
    judged ? h('span', {class: met === judged ? 'good' : 'bad'}, `${whole(met)} of ${whole(judged)}`) : '',
    ...[responses[0], responses.reduce((sum, value) => sum + value, 0) / responses.length, percentile(responses, 50), percentile(responses, 95),
      percentile(responses, 99), responses[responses.length - 1]].map((cycles) => short(run.us(cycles))),
  ]);
}

// A line for each deadline, with the names of all tasks that have it.
export function marksOf(groups) {
  const deadlines = new Map();
  for (const {task, deadline} of groups) {
    if (deadline !== undefined) deadlines.set(deadline, (deadlines.get(deadline) ?? new Set()).add(task));
  }
  return [...deadlines].map(([deadline, tasks]) => ({name: `${some([...tasks], 3)}: deadline`, deadline}));
}

addSection({
  order: 70,
  id: 'responses',
  title: 'Response times',
  build(runs) {
    return runs.flatMap((run, number) => {
      const groups = responsesOf(run);
      if (groups.length === 0) return [];
      const table = dataTable(`Response times in ${run.name}`, kResponseHead, responseRows(run, groups));
      const marks = marksOf(groups).map(({name, deadline}) => ({name, x: run.us(deadline)}));
      return [
        lineChart({
          id: `responses-${number}`, title: `Jobs of ${run.name} that had ended within a time`, xName: 'response time [us]', yName: 'share of jobs', yMost: 1,
          lines: groups.map((group) => ({name: group.task, colour: numberOf(group.task), step: 'end', points: distribution(run, group.responses)})), marks,
        }),
        table,
      ];
    });
  },
});
