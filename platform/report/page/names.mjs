// Colours of names: applications, tasks, kernels. A name has one number, and thus one colour, in all charts of a page and for
// all runs.

import {withoutNumber} from './run.mjs';

const numbers = new Map();

// The number of a name; a name that numberNames() did not meet gets the next one.
export function numberOf(name) {
  if (!numbers.has(name)) numbers.set(name, numbers.size);
  return numbers.get(name);
}

// Numbers the names of studies (tables of summary.csv) first, because a page begins with them. Then come applications, tasks
// and kernels, in the order of the runs. The order of the charts has no effect.
export function numberNames(runs, studies = []) {
  numbers.clear();
  for (const kind of ['application', 'task']) {
    for (const table of studies) {
      const names = table.column('name');
      table.column('of').forEach((of, row) => of === kind && numberOf(String(names[row])));
    }
  }
  for (const run of runs) {
    for (const application of run.result.applications ?? []) numberOf(application.name);
  }
  for (const run of runs) {
    for (const task of run.tables.jobs?.column('task') ?? []) numberOf(String(task));
    for (const kernel of run.kernels.column('name') ?? run.kernels.column('kernel') ?? []) numberOf(withoutNumber(String(kernel)));
  }
}

// The number of names; numbers from here on belong to no name.
export function namesCount() {
  return numbers.size;
}
