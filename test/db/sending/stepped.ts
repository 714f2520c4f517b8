import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../../db/engine/database.ts';
import type { Tx } from '../../../db/engine/tx.ts';
import { rowsOf } from '../../support/rows.ts';
import { boundaryOf, hasBoundaries, letPass } from './boundaries.ts';

/** A statement that has not ended by then may be waiting for a lock. */
const LOOK_AFTER_MS = 3;

export interface Stepped<T> {
  /** It stands before its first statement, or is over. */
  readonly begun: Promise<void>;
  /** Lets one statement more go and waits until it is done, or waits for another transaction's lock. */
  step(): Promise<void>;
  /** True once it has committed or failed. */
  readonly over: boolean;
  /** True while its statement waits for a lock. */
  readonly blocked: boolean;
  /** Counts its starts: PostgreSQL restarts it each time it is a deadlock's victim. */
  readonly tries: number;
  readonly result: Promise<T>;
}

/**
 * A real transaction that stops before its commit and after each of its statements until it is told to go on, and in a
 * database with boundaries also between the statements of its functions. `then` runs at once after the commit, before
 * anything else may step.
 */
export function stepped<T>(database: Database, work: (tx: Tx) => Promise<T>, then?: (value: T) => Promise<void>) {
  let allowed = 0;
  let stopped = 0;
  let backend = 0;
  let tries = 0;
  let over = false;
  let blocked = false;
  /** The boundary inside a function at which it stands, and the one up to which it may go. */
  let boundary = 0;
  let passed = 0;
  let wake = Promise.withResolvers<void>();
  let moved = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();

  async function stop(): Promise<void> {
    stopped += 1;
    begun.resolve();
    moved.resolve();
    while (stopped > allowed) await wake.promise;
  }

  const result = database
    .transaction(async (tx) => {
      tries += 1;
      // It stands at its boundaries for as long as the others take, on a slow machine more than half a minute.
      const { rows } = await sql<{ pid: number }>`
        select pg_backend_pid() as pid, set_config('test.boundary', '0', true),
          set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)
        `.execute(tx.sql);
      backend = rows[0]?.pid ?? 0;
      boundary = 0;
      passed = 0;
      if (hasBoundaries(database)) await letPass(database, backend, 0);
      await stop();
      const slow = tx.sql.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result: answer }) {
          await stop();
          return answer;
        },
      });
      return work({ ...tx, sql: slow });
    })
    .then(async (value) => {
      await then?.(value);
      return value;
    })
    .finally(() => {
      over = true;
      begun.resolve();
      moved.resolve();
    });
  result.catch(() => undefined);

  async function waitsForLock(): Promise<boolean> {
    const rows = await rowsOf(database, sql<object>`select 1 where cardinality(pg_blocking_pids(${backend})) > 0`);
    return rows.length > 0;
  }

  async function settle(): Promise<void> {
    blocked = false;
    while (!over && stopped <= allowed && boundary === passed && !blocked) {
      await Promise.race([moved.promise, pause(LOOK_AFTER_MS)]);
      if (over || stopped > allowed || backend === 0) continue;
      blocked = await waitsForLock();
      if (!blocked && hasBoundaries(database)) boundary = Math.max(passed, await boundaryOf(database, backend));
    }
    if (over || stopped > allowed) blocked = false;
  }

  return {
    begun: begun.promise,
    async step() {
      if (boundary > passed) {
        passed = boundary;
        await letPass(database, backend, passed);
      } else if (stopped > allowed) {
        allowed += 1;
        wake.resolve();
        wake = Promise.withResolvers();
        moved = Promise.withResolvers();
      }
      await settle();
    },
    get over() {
      return over;
    },
    get blocked() {
      return blocked;
    },
    get tries() {
      return tries;
    },
    result,
  } satisfies Stepped<T>;
}
