// The modules of the page become one (cmake/EmbedPage.cmake), so that a name is in only one of them.

import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'node:test';

import {sourceFolder} from './program.mjs';

test('no name is declared in two modules', () => {
  const folder = join(sourceFolder, 'platform/report/page'), seen = new Map(), twice = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.mjs'))) {
    for (const [, name] of readFileSync(join(folder, file), 'utf8').matchAll(/^(?:export )?(?:async )?(?:function|const|let|class) (\w+)/gm)) {
      if (seen.has(name)) twice.push(`${name} in ${seen.get(name)} and ${file}`);
      seen.set(name, file);
    }
  }
  assert.deepEqual(twice, []);
});
