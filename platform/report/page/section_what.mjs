// The inputs of the runs: workload, GPU, policies, warnings.

import {dataTable, h} from './dom.mjs';
import {addSection} from './sections.mjs';
import {bytes, short, some, whole} from './format.mjs';

// A word of a command line as a shell takes it.
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

// A line ends between words, not behind the hyphens of an option.
function commandLine(words) {
  return words.flatMap((word) => [h('span', {class: 'word'}, quoted(word)), ' ']);
}

function filesText(input) {
  const files = input.files.map((file) => `${file.name} (SHA-1 ${file.sha1.slice(0, 12)}…)`);
  if (input.traces) files.push(`${whole(input.traces.files)} traces (${bytes(input.traces.bytes)})`);
  return some(files, 4);
}

const kFacts = {
  'Input': (run) => run.result.input && `${run.result.input.name}, ${run.result.input.format}`,
  'Files': (run) => run.result.input && filesText(run.result.input),
  'GPU': (run) => `${run.result.gpu}: ${whole(run.result.configuration.sms)} SMs at ${whole(run.mhz)} MHz`,
  'Seed': (run) => String(run.result.seed),
  'State': (run) => (run.result.state === 'complete' ? 'complete' : h('span', {class: 'bad'}, run.result.state)),
  'Simulated time': (run) => `${short(run.us(run.result.cycles))} us, ${whole(run.result.cycles)} cycles`,
  'Launches that ended': (run) => `${whole(run.result.launches_ended)} of ${whole(run.result.launches)}`,
  'Applications': (run) => run.result.applications.map((application) => application.name).join(', '),
  'Program': (run) => (run.result.version ? `gputlm ${run.result.version}` : undefined),
  'Command line': (run) => run.performance.command && commandLine(['gputlm', ...run.performance.command]),
  'Folder': (run) => run.path,
};

function policyRows(runs) {
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.result.policies)))];
  return names.map((name) => [name, ...runs.map((run) => run.result.policies[name]?.name ?? '')]);
}

function warnings(runs) {
  return runs.filter((run) => run.result.warnings.length > 0).map((run) => h('div', {class: 'warnings', role: 'note'},
    h('strong', {}, runs.length > 1 ? `Warnings of ${run.name}` : 'Warnings'),
    h('ul', {}, run.result.warnings.map((warning) => h('li', {}, warning)))));
}

function deadlocks(runs) {
  return runs.filter((run) => run.result.waiting?.length > 0).map((run) => h('div', {class: 'warnings', role: 'note'},
    h('strong', {}, `${run.name} is deadlocked: who waits for what`),
    h('ul', {}, run.result.waiting.map((line) => h('li', {}, line)))));
}

addSection({
  order: 10,
  id: 'what',
  title: 'What was run',
  build(runs) {
    if (runs.length === 0) return [];
    const head = ['', ...runs.map((run) => run.name)];
    const facts = Object.entries(kFacts).map(([name, fact]) => [name, ...runs.map((run) => fact(run))]);
    // Side by side while each run has room for a line of some words.
    return [
      ...deadlocks(runs), ...warnings(runs),
      h('div', {class: 'grid facts', style: `--least: ${160 + 160 * runs.length}px`},
        dataTable('Inputs', head, facts.filter((row) => row.slice(1).some((cell) => cell !== undefined))),
        dataTable('Policies', head, policyRows(runs))),
    ];
  },
});
