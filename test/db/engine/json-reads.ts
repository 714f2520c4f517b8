import { sql } from 'kysely';
import type { Database } from '../../../db/engine/database.ts';
import { rowsOf } from '../../support/rows.ts';

/** A function of the database: the names of its arguments, its body, and which arguments are JSON. */
export interface SqlFunction {
  name: string;
  args: readonly string[];
  json: readonly boolean[];
  source: string;
}

/** Reads the functions of the database, with their bodies. */
export async function sqlFunctions(database: Database): Promise<SqlFunction[]> {
  return rowsOf(
    database,
    sql<SqlFunction>`
      select p.proname as name, p.prosrc as source, coalesce(p.proargnames[1:p.pronargs], '{}')::text[] as args,
        array(select t.type = 'jsonb'::regtype from unnest(p.proargtypes::oid[]) with ordinality t(type, place)
          order by t.place) as json
      from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace = 'public'::regnamespace and l.lanname in ('sql', 'plpgsql')`,
  );
}

/** A value inside a parameter: the parameter's name, then keys. */
type Path = readonly string[];

const STEPS = String.raw`(?:\s*->>?\s*(?:'\w+'|-?\d+))*`;
const PATH = String.raw`([a-z_]\w*(?:\.(?:[a-z_]\w*|"\w+"))?)(${STEPS})`;
const AFTER_A_LIST = new Set(['cross', 'join', 'where', 'loop', 'order', 'limit', 'with', 'left', 'group']);

/**
 * Lists the keys that functions read of their JSON parameters, by `function.parameter`. It follows a parameter into
 * variables, lists, records and the functions that get it. Each key is a path such as `parts.messageId`; a
 * star is all keys of a value that is kept whole.
 */
export function keysRead(functions: readonly SqlFunction[]): ReadonlyMap<string, ReadonlySet<string>> {
  const bodies = functions.map((each) => ({ ...each, source: each.source.replaceAll(/--[^\n]*/g, '') }));
  const found = new Map<string, Set<string>>();
  for (const { name, args, json } of bodies) {
    for (const [place, arg] of args.entries()) if (json[place] === true) found.set(`${name}.${arg}`, new Set());
  }
  // Functions call each other in any order, so this ends when a round finds nothing more.
  for (let before = -1, now = 0; now > before;) {
    before = now;
    for (const body of bodies) for (const path of readsOf(body, bodies, found)) add(found, body.name, path);
    now = [...found.values()].reduce((sum, { size }) => sum + size, 0);
  }
  return found;
}

function add(found: Map<string, Set<string>>, name: string, [parameter = '', ...keys]: Path): void {
  if (keys.length > 0) found.get(`${name}.${parameter}`)?.add(keys.join('.'));
}

function readsOf(
  { args, json, source }: SqlFunction,
  functions: readonly SqlFunction[],
  found: ReadonlyMap<string, ReadonlySet<string>>,
): Path[] {
  const names = new Map<string, Path>(args.flatMap((arg, place) => (json[place] === true ? [[arg, [arg]]] : [])));
  const reads: Path[] = [];
  // A variable may be made of one that is made further down.
  for (let known = 0; known !== names.size;) {
    known = names.size;
    nameVariables(source, names);
    reads.push(...nameRecords(source, names));
  }
  for (const [, base = '', steps = ''] of source.matchAll(new RegExp(String.raw`(?<![\w."'])${PATH}`, 'g'))) {
    const path = pathOf(base, steps, names);
    if (path) reads.push(path);
  }
  // A value in a list is kept whole.
  for (const [, base = '', steps = ''] of source.matchAll(new RegExp(String.raw`jsonb_build_array\(${PATH}\)`, 'g'))) {
    const path = pathOf(base, steps, names);
    if (path) reads.push([...path, '*']);
  }
  const asked = new RegExp(String.raw`(?<![\w."'])${PATH}\s*\?\s*'(\w+)'`, 'g');
  for (const [, base = '', steps = '', key = ''] of source.matchAll(asked)) {
    const path = pathOf(base, steps, names);
    if (path) reads.push([...path, key]);
  }
  return [...reads, ...readsOfCalls(source, functions, found, names)];
}

/** Names what the body makes of a parameter: variables, and the items of lists. */
function nameVariables(source: string, names: Map<string, Path>): void {
  const define = (name: string, base: string, steps: string): void => {
    const path = pathOf(base, steps, names);
    if (path && !names.has(name)) names.set(name, path);
  };
  for (const [, name = '', base = '', steps = ''] of source.matchAll(
    new RegExp(String.raw`(\w+)(?: jsonb)? := ${PATH}\s*;`, 'g'),
  )) {
    define(name, base, steps);
  }
  for (const [, base = '', name = ''] of source.matchAll(/(\w+\.value) as (\w+)/g)) define(`*.${name}`, base, '');
  for (const [, name = '', base = '', steps = ''] of source.matchAll(
    new RegExp(String.raw`for (\w+) in select (?:\w+\.)?value from jsonb_array_elements\(${PATH}\)`, 'g'),
  )) {
    define(name, base, steps);
  }
  const list = new RegExp(
    String.raw`jsonb_array_elements\(${PATH}\)(?: with ordinality)?(?: as)?(?: (\w+)(?:\((\w+))?)?`,
    'g',
  );
  for (const [, base = '', steps = '', name = '', column] of source.matchAll(list)) {
    if (name === '' || AFTER_A_LIST.has(name)) define('value', base, steps);
    else if (column === undefined) for (const each of [name, `${name}.value`]) define(each, base, steps);
    else for (const each of [column, `${name}.${column}`]) define(each, base, steps);
  }
}

/** Names the columns of records that are made of a parameter, and answers them as read. */
function nameRecords(source: string, names: Map<string, Path>): Path[] {
  const record = new RegExp(String.raw`jsonb_to_record(?:set)?\(${PATH}\) as (\w+)\(([^)]*)\)`, 'g');
  return [...source.matchAll(record)].flatMap(([, base = '', steps = '', name = '', columns = '']) => {
    const path = pathOf(base, steps, names);
    if (!path) return [];
    return columns.split(',').map((column) => {
      const [key = ''] = column.trim().split(/\s+/);
      const whole = [...path, key.replaceAll('"', '')];
      names.set(`${name}.${key}`, whole);
      return whole;
    });
  });
}

/** Answers what other functions read of the parameters that the body gives them. */
function readsOfCalls(
  source: string,
  functions: readonly SqlFunction[],
  found: ReadonlyMap<string, ReadonlySet<string>>,
  names: ReadonlyMap<string, Path>,
): Path[] {
  return functions.flatMap(({ name, args, json }) =>
    callsOf(source, name).flatMap((given) => {
      if (given.length !== args.length) return [];
      return args.flatMap((arg, place) => {
        if (json[place] !== true) return [];
        // The body itself adds the rest to the parameter.
        const [, base = '', steps = ''] = new RegExp(`^${PATH}\\s*(?:\\|\\||$)`).exec(given[place] ?? '') ?? [];
        const path = pathOf(base, steps, names);
        return path ? [...(found.get(`${name}.${arg}`) ?? [])].map((key) => [...path, ...key.split('.')]) : [];
      });
    }),
  );
}

/** Answers the arguments of each call of a function in a text. */
export function callsOf(text: string, name: string): string[][] {
  return [...text.matchAll(new RegExp(String.raw`(?<![\w.])${name}\(`, 'g'))].map(({ index, 0: { length } }) => {
    const given = [''];
    let depth = 0;
    for (const character of text.slice(index + length)) {
      if (character === ')' && depth === 0) break;
      if ('([{'.includes(character)) depth += 1;
      if (')]}'.includes(character)) depth -= 1;
      if (character === ',' && depth === 0) given.push('');
      else given.push(`${given.pop() ?? ''}${character}`);
    }
    return given.map((each) => each.trim());
  });
}

function pathOf(base: string, steps: string, names: ReadonlyMap<string, Path>): Path | undefined {
  const path = names.get(base) ?? names.get(base.replace(/^\w+/, '*'));
  // A place in a list is no key: all items have the same keys.
  return path && [...path, ...[...steps.matchAll(/'(\w+)'/g)].map(([, key = '']) => key)];
}
