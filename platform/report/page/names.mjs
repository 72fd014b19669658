// The colours of what has a name: an application, a task, a kernel. A name has one number, and by it one colour, in all
// charts of a page, whichever run they are of.

import {withoutNumber} from './run.mjs';

const numbers = new Map();

// Of a name that numberNames() did not meet, the next one.
export function numberOf(name) {
  if (!numbers.has(name)) numbers.set(name, numbers.size);
  return numbers.get(name);
}

// Those of studies (tables of summary.csv) first, as a page begins with them. Applications before tasks and kernels, in the
// order of the runs: so the order of the charts decides nothing.
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

// How many there are: numbers from here on belong to no name.
export function namesCount() {
  return numbers.size;
}
