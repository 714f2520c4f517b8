import { Client } from 'pg';
import { KINDS } from '../kinds.ts';
import type { Kind } from '../kinds.ts';
import type { Machine } from '../machine.ts';
import { HALVES, ROLES } from '../roles.ts';
import type { Half } from '../roles.ts';

/** PostgreSQL's sessions report what they have done up to a second late. */
export const REPORTED_MS = 1_500;

/** All counters of a machine at one moment; only differences mean something. */
export interface Reading {
  atMs: number;
  cpuMs: Record<Kind, number>;
  commits: number;
  walBytes: number;
  buffers: number;
  statements: Record<Half, number>;
  /** Every statement by its user and text. */
  texts: ReadonlyMap<string, Statement>;
}

export interface Statement {
  half: Half;
  text: string;
  calls: number;
  buffers: number;
}

/** The cost of engines and servers in a second, or for one unit of work. */
export type Usage = Record<'commits' | 'walBytes' | 'buffers', number> & {
  cpuMs: Record<Kind, number>;
  statements: Record<Half, number>;
};

/** Reads what a series costs: the processes' CPU time, and what its database has done for the engines. */
export class Meter {
  readonly #machine: Machine;
  readonly #client: Client;

  private constructor(machine: Machine, client: Client) {
    this.#machine = machine;
    this.#client = client;
  }

  static async open(machine: Machine): Promise<Meter> {
    const client = new Client({ connectionString: machine.databaseUrl });
    await client.connect();
    await client.query('create extension if not exists pg_stat_statements');
    await client.query("set pg_stat_statements.track = 'none'");
    return new Meter(machine, client);
  }

  async read(): Promise<Reading> {
    const { rows: statements } = await this.#client.query<Statement>(
      `
      select substr(r.rolname, 7) as half, s.query as text, sum(s.calls)::float8 as calls,
        sum(s.shared_blks_hit + s.shared_blks_read)::float8 as buffers
      from pg_stat_statements s join pg_roles r on r.oid = s.userid and r.rolname = any($1)
      where s.dbid = (select oid from pg_database where datname = current_database()) and s.toplevel
      group by 1, 2`,
      [ROLES],
    );
    const { rows } = await this.#client.query<{ commits: number; wal: number }>(`
      select xact_commit::float8 as commits, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal
      from pg_stat_database where datname = current_database()`);
    return {
      atMs: performance.now(),
      cpuMs: this.#machine.cpuMs(),
      commits: rows[0]?.commits ?? 0,
      walBytes: rows[0]?.wal ?? 0,
      buffers: statements.reduce((sum, { buffers }) => sum + buffers, 0),
      statements: byHalf((half) => statements.reduce((sum, each) => sum + (each.half === half ? each.calls : 0), 0)),
      texts: new Map(statements.map((statement) => [`${statement.half} ${statement.text}`, statement])),
    };
  }

  async query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await this.#client.query<T>(text, values)).rows;
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

function byHalf(of: (half: Half) => number): Record<Half, number> {
  const [engine = 0, api = 0, worker = 0] = HALVES.map(of);
  return { engine, api, worker };
}

/** Returns what was used in each second between two readings. */
export function usagePerSecond(from: Reading, to: Reading): Usage {
  const by = (to.atMs - from.atMs) / 1_000;
  return usage(
    (counters) => (counters(to) - counters(from)) / by,
    byHalf((half) => (to.statements[half] - from.statements[half]) / by),
  );
}

/**
 * Returns what was used between two readings for each of `count` pieces of work, without what the same fleet used at
 * rest. A loop that is busy looks less often than at rest, so nothing counts as less than none.
 */
export function usageOfEach(
  [from, to]: readonly [Reading, Reading],
  [restFrom, restTo]: readonly [Reading, Reading],
  count: number,
): Usage {
  const share = (to.atMs - from.atMs) / (restTo.atMs - restFrom.atMs);
  const statements = byHalf(() => 0);
  for (const [key, { half, calls }] of to.texts) {
    const atRest = callsOf(restTo, key) - callsOf(restFrom, key);
    statements[half] += Math.max(0, calls - callsOf(from, key) - atRest * share) / count;
  }
  return usage(
    (counters) => Math.max(0, counters(to) - counters(from) - (counters(restTo) - counters(restFrom)) * share) / count,
    statements,
  );
}

function callsOf({ texts }: Reading, key: string): number {
  return texts.get(key)?.calls ?? 0;
}

function usage(of: (counters: (reading: Reading) => number) => number, statements: Record<Half, number>): Usage {
  return {
    commits: of(({ commits }) => commits),
    walBytes: of(({ walBytes }) => walBytes),
    buffers: of(({ buffers }) => buffers),
    statements,
    cpuMs: cpuOf((kind) => of(({ cpuMs: used }) => used[kind])),
  };
}

function cpuOf(of: (kind: Kind) => number): Record<Kind, number> {
  const [engine = 0, api = 0, worker = 0, postgres = 0, temporal = 0, sandbox = 0] = KINDS.map(of);
  return { engine, api, worker, postgres, temporal, sandbox };
}

export function statementsOf({ statements }: Usage): number {
  return HALVES.reduce((sum, half) => sum + statements[half], 0);
}

/** Returns the statements between two readings, the most frequent first, with their calls in a second. */
export function topStatements([from, to]: readonly [Reading, Reading], count: number): Statement[] {
  const elapsedS = (to.atMs - from.atMs) / 1_000;
  return [...to.texts]
    .map(([key, { half, text, calls, buffers }]) => ({
      half,
      text: text.replaceAll(/\s+/g, ' ').trim(),
      calls: (calls - callsOf(from, key)) / elapsedS,
      buffers: (buffers - (from.texts.get(key)?.buffers ?? 0)) / elapsedS,
    }))
    .filter(({ calls }) => calls > 0)
    .toSorted((a, b) => b.calls - a.calls)
    .slice(0, count);
}
