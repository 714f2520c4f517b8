import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { jsonParameter, jsonParameters } from '../../../db/engine/json-parameter.ts';
import type { JsonKeys, JsonParameter } from '../../../db/engine/json-parameter.ts';
import { ROOT } from '../../toolchain/source-files.ts';
import { aDatabase } from '../a-database.ts';
import { callsOf, keysRead, sqlFunctions } from './json-reads.ts';
import type { SqlFunction } from './json-reads.ts';

type Reads = ReadonlyMap<string, ReadonlySet<string>>;

interface SourceFile {
  path: string;
  text: string;
}

const FILES: SourceFile[] = readdirSync(join(ROOT, 'db'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path: `db/${path}`, text: readFileSync(join(ROOT, 'db', path), 'utf8') }));

/** The paths of the keys that have a value of their own. */
function leavesOf(keys: JsonKeys, above = ''): string[] {
  return Object.entries(keys).flatMap(([key, value]) =>
    typeof value === 'object' ? leavesOf(value, `${above}${key}.`) : [`${above}${key}`],
  );
}

/** A sentence for each key that callers send in vain, and for each that functions miss. */
function keyProblems({ parameters, keys }: JsonParameter, reads: Reads): string[] {
  const names = parameters.join(' and ');
  const leaves = leavesOf(keys);
  const read = parameters.flatMap((parameter) => [...(reads.get(parameter) ?? [])]);
  const whole = read.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1));
  const isRead = (leaf: string): boolean =>
    read.some((path) => path === leaf || path.startsWith(`${leaf}.`)) || whole.some((path) => leaf.startsWith(path));
  const isSent = (path: string): boolean =>
    leaves.some((leaf) => path === leaf || path.startsWith(`${leaf}.`) || leaf.startsWith(`${path}.`));
  return [
    ...leaves.filter((leaf) => !isRead(leaf)).map((leaf) => `${names} does not read "${leaf}": do not send it.`),
    ...read
      .filter((path) => !path.endsWith('*') && !isSent(path))
      .map((path) => `${names} reads "${path}", which no caller sends: send it, or read another key.`),
  ];
}

/** The names of the functions that write declared JSON, each with the parameters that it may be written for. */
function writersIn(files: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const writers = new Map<string, Set<string>>();
  for (const { text } of files) {
    for (const [, name = '', declaration = ''] of text.matchAll(/const (\w+) = jsonParameter\(([\s\S]*?)\);/g)) {
      const known = writers.get(name) ?? new Set();
      for (const [, parameter = ''] of declaration.matchAll(/'(\w+\.\w+)'/g)) known.add(parameter);
      writers.set(name, known);
    }
  }
  return writers;
}

/** A sentence for each JSON that a statement gives a function without a declaration of its keys. */
function undeclared(files: readonly SourceFile[], functions: readonly SqlFunction[], reads: Reads): string[] {
  const writers = writersIn(FILES);
  return functions.flatMap(({ name, args, json }) =>
    args.flatMap((arg, place) => {
      const parameter = `${name}.${arg}`;
      if (json[place] !== true || (reads.get(parameter)?.size ?? 0) === 0) return [];
      return files.flatMap(({ path, text }) =>
        callsOf(text, name)
          .filter((given) => given.length === args.length && /\$\{[\s\S]*::jsonb/.test(given[place] ?? ''))
          .filter(
            (given) =>
              ![...(given[place] ?? '').matchAll(/\b(\w+)\(/g)].some(([, writer = '']) =>
                writers.get(writer)?.has(parameter),
              ),
          )
          .map(() => `${path} gives ${parameter} JSON without declared keys: write it with jsonParameter.`),
      );
    }),
  );
}

describe('the JSON parameters of SQL functions', () => {
  let functions: SqlFunction[];
  let reads: Reads;

  beforeAll(async () => {
    const database = await aDatabase();
    functions = await sqlFunctions(database);
    await database.close();
    reads = keysRead(functions);
    const declaring = FILES.filter(({ text }) => text.includes(' = jsonParameter('));
    for (const { path } of declaring) await import(pathToFileURL(join(ROOT, path)).href);
  });

  it('have the keys that their functions read', () => {
    expect(jsonParameters.length).toBeGreaterThan(15);
    const called = jsonParameters.filter(({ parameters }) => parameters.length > 0);
    expect(called.flatMap((parameter) => keyProblems(parameter, reads))).toEqual([]);
  });

  it('are declared wherever a statement gives a function JSON', () => {
    expect(undeclared(FILES, functions, reads)).toEqual([]);
  });

  it('tell the developer of a key that nobody reads, and of one that nobody sends', () => {
    const known = jsonParameters.find(({ parameters }) => parameters.includes('accept_send.p'));
    const { origin, ...keys } = known?.keys ?? {};
    expect(origin).toBe(true);
    const planted = { ...keys, colour: true, parts: { messageId: true, kind: true, body: true, size: true } } as const;
    expect(keyProblems({ parameters: ['accept_send.p'], keys: planted }, reads)).toEqual([
      'accept_send.p does not read "parts.size": do not send it.',
      'accept_send.p does not read "colour": do not send it.',
      'accept_send.p reads "origin", which no caller sends: send it, or read another key.',
      'accept_send.p reads "parts.content", which no caller sends: send it, or read another key.',
      'accept_send.p reads "parts.media", which no caller sends: send it, or read another key.',
    ]);
    const careless = { path: 'db/careless.ts', text: 'select accept_send(${JSON.stringify(parameters)}::jsonb)' };
    expect(undeclared([careless], functions, reads)).toEqual([
      'db/careless.ts gives accept_send.p JSON without declared keys: write it with jsonParameter.',
    ]);
  });

  it('are refused by the compiler with other keys than the declared ones', () => {
    const write = jsonParameter({ id: true, parts: { body: true }, note: 'optional' });
    expect(write({ id: 'a', parts: [{ body: 'b' }] })).toBe('{"id":"a","parts":[{"body":"b"}]}');
    // @ts-expect-error: a key that the function does not read.
    write({ id: 'a', parts: [{ body: 'b' }], colour: 'red' });
    // @ts-expect-error: a key that is missing.
    write({ parts: [{ body: 'b' }] });
    // @ts-expect-error: a key of an item that the function does not read.
    write({ id: 'a', parts: [{ body: 'b', size: 1 }] });
  });
});
