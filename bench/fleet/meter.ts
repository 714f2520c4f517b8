import { Client } from 'pg';
import { cpuMs } from '../cpu.ts';
import type { Kind } from '../kinds.ts';
import type { Fleet, Half } from './fleet.ts';

/** PostgreSQL's sessions report what they have done up to a second late. */
export const REPORTED_MS = 1_500;

/** All counters of a fleet at one moment; only differences mean something. */
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

/** What a fleet uses in a second, or for one message. */
export type Usage = Record<'commits' | 'walBytes' | 'buffers', number> & {
  cpuMs: Record<Kind, number>;
  statements: Record<Half, number>;
};

/** Reads what a fleet costs: its processes' CPU time, and what its database has done for it. */
export class Meter {
  readonly #fleet: Fleet;
  readonly #client: Client;

  private constructor(fleet: Fleet, client: Client) {
    this.#fleet = fleet;
    this.#client = client;
  }

  static async open(fleet: Fleet): Promise<Meter> {
    const client = new Client({ connectionString: fleet.machine.databaseUrl });
    await client.connect();
    await client.query('create extension if not exists pg_stat_statements');
    await client.query("set pg_stat_statements.track = 'none'");
    return new Meter(fleet, client);
  }

  async read(): Promise<Reading> {
    const { rows: statements } = await this.#client.query<Statement>(`
      select substr(r.rolname, 7) as half, s.query as text, sum(s.calls)::float8 as calls,
        sum(s.shared_blks_hit + s.shared_blks_read)::float8 as buffers
      from pg_stat_statements s join pg_roles r on r.oid = s.userid and r.rolname in ('bench_api', 'bench_worker')
      where s.dbid = (select oid from pg_database where datname = current_database()) and s.toplevel
      group by 1, 2`);
    const { rows } = await this.#client.query<{ commits: number; wal: number }>(`
      select xact_commit::float8 as commits, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal
      from pg_stat_database where datname = current_database()`);
    const of = (half: Half): number =>
      statements.reduce((sum, { half: whose, calls }) => sum + (whose === half ? calls : 0), 0);
    return {
      atMs: performance.now(),
      cpuMs: usedBy(this.#fleet),
      commits: rows[0]?.commits ?? 0,
      walBytes: rows[0]?.wal ?? 0,
      buffers: statements.reduce((sum, { buffers }) => sum + buffers, 0),
      statements: { api: of('api'), worker: of('worker') },
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

function usedBy(fleet: Fleet): Record<Kind, number> {
  const of = (kind: Kind): number => fleet.pids(kind).reduce((sum, pid) => sum + cpuMs(pid), 0);
  return { api: of('api'), worker: of('worker'), postgres: of('postgres'), temporal: of('temporal') };
}

/** Returns what was used in each second between two readings. */
export function usagePerSecond(from: Reading, to: Reading): Usage {
  const by = (to.atMs - from.atMs) / 1_000;
  return usage((counters) => (counters(to) - counters(from)) / by, {
    api: (to.statements.api - from.statements.api) / by,
    worker: (to.statements.worker - from.statements.worker) / by,
  });
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
  const statements: Record<Half, number> = { api: 0, worker: 0 };
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
    cpuMs: {
      api: of(({ cpuMs: used }) => used.api),
      worker: of(({ cpuMs: used }) => used.worker),
      postgres: of(({ cpuMs: used }) => used.postgres),
      temporal: of(({ cpuMs: used }) => used.temporal),
    },
  };
}

export function statementsOf({ statements }: Usage): number {
  return statements.api + statements.worker;
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
