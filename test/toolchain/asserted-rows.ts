import type { Guard } from './guards.ts';
import { isEngine } from './source-files.ts';

/** The one file that runs statements, and holds what they answer to schemas. */
const DOORS = 'db/engine/rows.ts';

const MEND = 'let rows, row, one or run of db/engine/rows.ts run it';

/** The ways past the schemas, each with its mend. */
const PAST: { found: RegExp; says: string }[] = [
  {
    found: /(?<![\w.])sql</,
    says: `asserts what a statement answers: ${MEND}, with a zod schema from which the type follows`,
  },
  // A transaction of kysely's takes a function, and migrations read no answer of theirs.
  {
    found: /\.execute\(($|\w+\.sql\b|connection\b|trx\b)/,
    says: `runs a statement whose answer nobody checks: ${MEND}`,
  },
  {
    found: /\b(rows|row|one)\([\w.]+, z\./,
    says: 'makes a schema at each call, which costs more than the statement: give it a name at the top of the module',
  },
];

/** Responses of the database must be parsed, never asserted. */
export const guardAssertedRows: Guard = (files) =>
  files
    .filter((file) => isEngine(file) && !file.path.startsWith('test/') && file.path !== DOORS)
    .filter(({ path, text }) => path.startsWith('db/') || text.includes("from 'kysely'"))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const past = PAST.find(({ found }) => found.test(line));
        return past ? [`${path}:${index + 1} ${past.says}.`] : [];
      }),
    );
