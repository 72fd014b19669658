// The colours of what has a name: an application, a task, a kernel. A name has one number, and by it one colour, in all
// charts of a page, whichever run they are of.

import {withoutNumber} from './run.mjs';

const numbers = new Map();

// Of a name that numberNames() did not meet, the next one.
export function numberOf(name) {
  if (!numbers.has(name)) numbers.set(name, numbers.size);
  return numbers.get(name);
}

// Applications first, in the order of the runs, then tasks and kernels: so the order of the charts decides nothing.
export function numberNames(runs) {
  numbers.clear();
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
