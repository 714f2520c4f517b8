import { afterEach, beforeEach } from '@jest/globals';
import { sql } from 'kysely';
import type { NewEndpoint } from '../../../db/webhooks/endpoint.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { rowsOf } from '../../support/rows.ts';
import { anEndpoint, receivers, tellMessage } from './a-drained-endpoint.ts';
import { drainsTo } from './an-owner.ts';

/**
 * A database, receivers and the steps of a test of drains. Every test begins with receivers that take everything, and leaves
 * no endpoint to the next. A file awaits it before its first `describe`.
 */
export async function drainsOfThisFile() {
  const { database, sessionId } = await databaseOfThisFile();
  const world = receivers();
  const drains = drainsTo(database, world);
  const change = (statement: ReturnType<typeof sql>) => rowsOf(database, statement);
  // The clock is moved on by days.
  await change(sql`select maintain_partitions(current_date + days) from generate_series(42, 0, -14) as days`);
  beforeEach(() => world.reset());
  afterEach(() => change(sql`update endpoint set deleted_at = now()`));

  async function tell(lane: string, ...texts: string[]): Promise<void> {
    for (const text of texts) await tellMessage(database, sessionId, lane, text);
  }

  return {
    database,
    world,
    change,
    advance: (ms: number) => database.clock.advance(ms),
    endpoint: (more: Partial<NewEndpoint> = {}) => anEndpoint(database, more),
    drain: drains.drain,
    tell,
    /** One message in each of so many conversations. */
    tellMany: async (count: number): Promise<void> => {
      for (let lane = 0; lane < count; lane += 1) await tell(`lane-${lane}`, `text ${lane}`);
    },
  };
}
