import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

/** A function of the database as a process calls it: name, arguments and result. */
interface DatabaseFunction {
  name: string;
  signature: string;
}

export async function readFunctions(url: string): Promise<DatabaseFunction[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<DatabaseFunction>(
      `select proname as name,
         format('%s(%s) returns %s', proname, pg_get_function_arguments(oid), pg_get_function_result(oid)) as signature
       from pg_proc where pronamespace = current_schema()::regnamespace order by 2`,
    );
    return rows;
  } finally {
    await client.end();
  }
}

/** Lists the functions that a release calls and that are missing or changed now, each in a sentence. */
export function changedFunctions(
  before: readonly DatabaseFunction[],
  after: readonly DatabaseFunction[],
  root: string,
): string[] {
  const sources = globSync('{activities,api,bin,db,dispatch,worker}/**/*.ts', { cwd: root })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
  return before
    .filter(({ signature }) => !after.some((each) => each.signature === signature))
    .filter(({ name }) => new RegExp(`\\b${name}\\(`).test(sources))
    .map(({ signature }) => `processes of the previous release call ${signature}, which is not there any more`);
}
