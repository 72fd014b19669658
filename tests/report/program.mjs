// Runs of the built program, and folders of a test.

import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

export const sourceFolder = join(dirname(fileURLToPath(import.meta.url)), '../..');

export function gputlm(...words) {
  const {status, stdout, stderr} = spawnSync(process.env.GPUTLM_PROGRAM, words, {encoding: 'utf8'});
  return {code: status, out: stdout, err: stderr};
}

// Runs it and throws unless it ends with 0.
export function mustRun(...words) {
  const outcome = gputlm(...words);
  if (outcome.code !== 0) throw new Error(`gputlm ${words.join(' ')}: ${outcome.err}`);
  return outcome;
}

export function workload(name) {
  return join(sourceFolder, 'workloads', name);
}

// A folder that goes with the program.
export function testFolder() {
  const path = mkdtempSync(join(tmpdir(), 'gputlm_report_'));
  process.on('exit', () => rmSync(path, {recursive: true, force: true}));
  return path;
}

// What a report holds.
export function dataOf(report) {
  const text = readFileSync(report, 'utf8').match(/<script type="application\/json"[^>]*>([^<]*)<\/script>/)[1];
  return JSON.parse(text);
}
