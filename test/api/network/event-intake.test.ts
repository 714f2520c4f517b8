import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { EventIntake } from '../../../api/network/event-intake.ts';
import type { Tx } from '../../../db/engine/tx.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { eventually } from '../../support/eventually.ts';
import { BACKEND_WEBHOOK_SECRET } from '../../support/keys.ts';
import { countOf, countRows, lockTable, refuseRows } from '../../support/rows.ts';

const api = await apiOfThisFile('event-intake');

describe('events of the backend that come at the same time', () => {
  const { database } = api;

  async function tell(body: string): Promise<number> {
    const response = await fetch(`${api.url}/v1/internal/backend/events`, {
      method: 'POST',
      headers: { 'x-webhook-hmac': createHmac('sha512', BACKEND_WEBHOOK_SECRET).update(body).digest('hex') },
      body,
    });
    return response.status;
  }

  const event = (id: string) => JSON.stringify({ id, event: 'engine.event', session: 'a session of nobody' });

  /** Tells them while the first one cannot be stored yet. */
  async function tellAtOnce(bodies: readonly string[]): Promise<number[]> {
    const letGo = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holder = database.transaction(async (tx) => {
      await lockTable(tx, 'backend_event', 'share');
      locked.resolve();
      await letGo.promise;
    });
    await locked.promise;
    const told = bodies.map(tell);
    try {
      const waiting = sql`pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into backend_event%'`;
      await eventually(async () => (await countOf(database, waiting)) > 0);
    } finally {
      letGo.resolve();
      await holder;
    }
    return Promise.all(told);
  }

  it('go in the next statement while one runs, and are answered when it is done', async () => {
    const statements: PromiseWithResolvers<void>[] = [];
    const statement = async <T>(_work: (tx: Tx) => Promise<T>): Promise<T> => {
      const running = Promise.withResolvers<void>();
      statements.push(running);
      await running.promise;
      return undefined as T;
    };
    const woken: string[] = [];
    const off = database.wakeups.on('backend-event', (name) => void woken.push(name));
    const intake = new EventIntake({ statement, wakeups: database.wakeups });
    const store = (body: string) => intake.store({ sessionName: body, requestId: null, body });
    const first = store('first');
    expect(intake.isBusy).toBe(false);
    await eventually(() => statements.length === 1);
    const rest = Array.from({ length: 30 }, (_, n) => store(`later${n}`));
    const alone = store('x'.repeat(300_000));
    expect(statements).toHaveLength(2);
    expect(woken).toEqual([]);
    statements[0]?.resolve();
    await first;
    await eventually(() => statements.length === 3);
    expect(intake.isBusy).toBe(true);
    for (const each of statements) each.resolve();
    await Promise.all([...rest, alone]);
    expect(statements).toHaveLength(3);
    expect(new Set(woken).size).toBe(32);
    await eventually(() => !intake.isBusy);
    off();
  });

  it('do not fail with one among them that the database refuses', async () => {
    const mend = await refuseRows(database, 'backendEvent', {
      on: 'insert',
      where: { body: event('odd') },
      isOwnFault: true,
    });
    const bodies = [event('first'), event('second'), event('odd'), event('third')];
    expect(await tellAtOnce(bodies)).toEqual([200, 200, 500, 200]);
    await mend();
    expect(await countRows(database, 'backendEvent', { body: ['first', 'second', 'third'].map(event) })).toBe(3);
  });
});
