import { Client } from 'pg';
import { superuserUrl } from './servers.ts';

/** The setting of a database whose statements can be explained: its connections load what logs the plans. */
export const EXPLAINABLE = { session_preload_libraries: 'auto_explain' };

const LOGGED = {
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
};
/** Beside the data of the run's server, which writes its log there. */
const LOG = '../postgres.log';
const ENTRY = /\n(?=\d{4}-\d\d-\d\d [\d:.]+ UTC \[)/;
const READ = /\(actual rows=([\d.]+) loops=(\d+)\)/;
const REMOVED = /Rows Removed by (?:Join )?Filter: (\d+)/;

/** One part of a plan that read many rows, and the statement that it belongs to. */
export interface WideRead {
  statement: string;
  line: string;
}

/**
 * Returns the parts of all plans that ran meanwhile and read more than `most` rows, with those of functions, in
 * databases that are {@link EXPLAINABLE}.
 */
export async function wideReadsOf(work: () => Promise<unknown>, most: number): Promise<WideRead[]> {
  const client = new Client({ connectionString: superuserUrl() });
  await client.connect();
  const set = async (change: (name: string, value: string) => string): Promise<void> => {
    for (const [name, value] of Object.entries(LOGGED)) await client.query(change(name, value));
    await client.query('select pg_reload_conf()');
  };
  const sizeOf = async (): Promise<number> => {
    const { rows } = await client.query<{ size: string }>(`select size from pg_stat_file('${LOG}')`);
    return Number(rows[0]?.size ?? 0);
  };
  try {
    const from = await sizeOf();
    await set((name, value) => `alter system set ${name} = '${value}'`);
    await work();
    await set((name) => `alter system reset ${name}`);
    const { rows } = await client.query<{ log: Buffer }>('select pg_read_binary_file($1, $2, $3) as log', [
      LOG,
      from,
      (await sizeOf()) - from,
    ]);
    return wideReads(rows[0]?.log.toString() ?? '', most);
  } finally {
    await client.end();
  }
}

/** Finds them in the log of a server. */
export function wideReads(log: string, most: number): WideRead[] {
  return log.split(ENTRY).flatMap((entry) => {
    const [, statement = ''] =
      /Query Text: ([\s\S]*?)(?=\n\s*Query Parameters:|\n\t?[A-Z][\w ]+(?: on \S+.*)? {2}\(cost=)/.exec(entry) ?? [];
    const lines = entry.split('\n');
    const wide = lines.filter((line) => {
      const [, read = 0, loops = 0] = READ.exec(line) ?? [];
      const [, removed = 0] = REMOVED.exec(line) ?? [];
      return Math.max(Number(read), Number(removed)) * Math.max(1, Number(loops)) > most;
    });
    return wide.map((line) => ({ statement: statement.replaceAll(/\s+/g, ' ').trim(), line: line.trim() }));
  });
}
