import { describe, expect, it } from '@jest/globals';
import { REFUSED_OPENINGS, guardOpenings } from './openings.ts';
import { commentedFiles } from './source-files.ts';

/** The least of each form of comment; `WORD` gives way to a refused opening, which this file must not hold itself. */
const FORMS: [path: string, text: string, line: number][] = [
  ['db/a.ts', '/** WORD it does. */', 1],
  ['db/a.ts', 'const a = 1;\n/**\n * WORD it does.\n */', 2],
  ['db/a.ts', '/*\n * WORD it does.\n */', 1],
  ['db/a.ts', 'interface A {\n  /** WORD it does. */\n  a: string;\n}', 2],
  ['db/a.ts', 'const a = 1; // WORD it does.', 1],
  ['db/a.ts', '// It runs.\n// WORD it does.', 1],
  ['db/a.ts', '/** It runs. WORD it does. */', 1],
  ['db/a.ts', '/**\n * It runs:\n * - WORD it does.\n */', 1],
  ['db/a.ts', 'run(tx)`\n  -- WORD it does.\n  select 1`', 2],
  ['packages/console/a.tsx', '<p>{/* WORD it does. */}</p>', 1],
  ['packages/console/a.css', '/* WORD it does. */', 1],
  ['bin/a.mjs', '// WORD it does.', 1],
  ['db/a.sql', 'select 1; -- WORD it does.', 1],
  ['db/migrations/0004-edges.sql', '-- It runs.\n-- WORD it does.', 1],
  ['deploy/a.sh', 'set -e\n# WORD it does.', 2],
  ['Dockerfile', '# WORD it does.', 1],
];

const PASSES: [path: string, text: string][] = [
  ['db/a.ts', '/** It is WORD it does. */'],
  ['db/a.ts', '/** "WORD" is refused here. */'],
  ['db/a.ts', '/** WORDever runs. */'],
  ['db/a.ts', "const files = 'db/**/* WORD.ts';"],
  ['db/a.ts', "const url = 'https://WORD.example';"],
  ['db/migrations/0003-webhooks-and-agent.sql', '-- WORD it does.'],
  ['packages/typescript/src/generated/a.ts', '/** WORD it does. */'],
];

const filled = (path: string, text: string, word: string) => [{ path, text: text.replaceAll('WORD', word) }];

describe('comments', () => {
  it('of all files that people write open each sentence with its subject', () => {
    const files = commentedFiles();
    for (const ending of ['.ts', '.tsx', '.mjs', '.js', '.css', '.sql', '.sh', '.yml', 'Dockerfile', '.ci/run']) {
      expect(files.map(({ path }) => path)).toContainEqual(expect.stringContaining(ending));
    }
    expect(guardOpenings(files)).toEqual([]);
  });

  it.each(FORMS)('may not open with a question word in %s: %j', (path, text, line) => {
    for (const word of REFUSED_OPENINGS) {
      expect(guardOpenings(filled(path, text, word))).toEqual([
        expect.stringMatching(new RegExp(`^${path}:${line} opens a sentence with "${word} it does\\.": begin with `)),
      ]);
    }
  });

  it.each(PASSES)('may hold the words elsewhere in %s: %j', (path, text) => {
    for (const word of REFUSED_OPENINGS) expect(guardOpenings(filled(path, text, word))).toEqual([]);
  });
});
