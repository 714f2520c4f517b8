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
/** The lines of an entry behind its first are indented. */
const ENTRY = /\n(?!\t)/;
const READ = /\(actual rows=([\d.]+) loops=(\d+)\)/;
const REMOVED = /Rows Removed by (?:Join |Index )?(?:Filter|Recheck): ([\d.]+)/;
const STATEMENT = /Query Text: ([\s\S]*?)(?=\n\tQuery Parameters:|\n\t[A-Z][\w ]+(?: on \S+.*)? {2}\(cost=)/;

/** One part of a plan that read many rows, and the statement that it belongs to. */
interface WideRead {
  statement: string;
  line: string;
}

/**
 * Counts the plans that ran meanwhile in databases that are {@link EXPLAINABLE}, those of functions too, and returns the
 * parts that read more than `most` rows.
 */
export async function wideReadsOf(
  work: () => Promise<unknown>,
  most: number,
): Promise<{ plans: number; wide: WideRead[] }> {
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
    try {
      await work();
    } finally {
      await set((name) => `alter system reset ${name}`);
    }
    const { rows } = await client.query<{ log: Buffer }>('select pg_read_binary_file($1, $2, $3) as log', [
      LOG,
      from,
      (await sizeOf()) - from,
    ]);
    const entries = (rows[0]?.log.toString() ?? '').split(ENTRY).filter((entry) => entry.includes('Query Text:'));
    return { plans: entries.length, wide: entries.flatMap((entry) => wideReads(entry, most)) };
  } finally {
    await client.end();
  }
}

/** Finds them in one plan. Rows that a part removed are reported for each of its loops, on a line behind its own. */
function wideReads(entry: string, most: number): WideRead[] {
  const [, statement = ''] = STATEMENT.exec(entry) ?? [];
  let loops = 1;
  return entry.split('\n').flatMap((line) => {
    const [, read, looped] = READ.exec(line) ?? [];
    if (looped !== undefined) loops = Math.max(1, Number(looped));
    const [, removed] = REMOVED.exec(line) ?? [];
    const isWide = Number(read ?? removed ?? 0) * loops > most;
    return isWide ? [{ statement: statement.replaceAll(/\s+/g, ' ').trim(), line: line.trim() }] : [];
  });
}
