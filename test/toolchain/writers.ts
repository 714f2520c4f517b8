import type { Guard } from './guards.ts';
import type { SourceFile } from './source-files.ts';

/** A function up to the brace that closes it, and what it is given to run queries with. */
const READER = /^(?:export )?(?:async )?function (\w+)[^{}]*?\bqueries: Queries\b[\s\S]*?^}/gm;
const WRITES =
  /\b(insert into|update [a-z_]+( [a-z])? set|delete from|for (no key )?(update|share)|pg_(try_)?advisory_\w+|nextval)\b/;
const FUNCTION = /^create (?:or replace )?function (\w+)[\s\S]*?(?=^create |(?![\s\S]))/gm;

/** Returns the functions that PostgreSQL lets write: all without `stable` or `immutable`. */
function writingFunctions(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => /^db\/(?!migrations|indexes).*\.sql$/.test(path))
    .flatMap(({ text }) => [...text.matchAll(FUNCTION)])
    .filter(([definition]) => !/\b(stable|immutable)\b/.test(definition.split(/\bas (\$\$|')/)[0] ?? ''))
    .map(([, name = '']) => name);
}

/** `Queries` is for what reads: only what takes a `Tx` is run again after a deadlock, and may wake. */
export const guardWriters: Guard = (files) => {
  const calls = writingFunctions(files).map((name) => ({ name, call: new RegExp(String.raw`\b${name}\(`) }));
  return files
    .filter(({ path }) => path.startsWith('db/') && path.endsWith('.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(READER)].flatMap(([source, reader = '']) => {
        const written = WRITES.exec(source)?.[0] ?? calls.find(({ call }) => call.test(source))?.name;
        if (written === undefined) return [];
        return `${path}: ${reader} takes Queries and writes (${written}): let it take a Tx, and its callers go through database.statement or database.transaction.`;
      }),
    );
};
