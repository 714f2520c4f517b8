import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { anAgencyWithScopedKey } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import { BACKEND_WEBHOOK_SECRET } from '../../support/keys.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { countOf, rowsOf, untilRows } from '../../support/rows.ts';
import { personWrites } from '../../support/sandbox-record.ts';

describe('events of the backend', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'ingest' });
  }, 60_000);
  afterAll(() => engine.close());

  async function tell(body: string | Buffer, requestId: string = randomUUID()): Promise<number> {
    const response = await fetch(`${engine.url}/v1/internal/backend/events`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-webhook-request-id': requestId,
        'x-webhook-hmac': createHmac('sha512', BACKEND_WEBHOOK_SECRET).update(body).digest('hex'),
      },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    return response.status;
  }

  const message = (text: string, id: string, session = agency.session.name) =>
    JSON.stringify({
      id: `evt_${randomUUID()}`,
      timestamp: Date.now(),
      event: 'message.any',
      session,
      engine: 'NOWEB',
      payload: {
        id: `false_15550100901@c.us_${id}`,
        from: '15550100901@c.us',
        fromMe: false,
        body: text,
        timestamp: Math.floor(Date.now() / 1_000),
        hasMedia: false,
      },
    });

  it.each([
    ['a body that is not JSON', '{"event": "message.any", "session": '],
    ['a body that is no event', '[1, 2, 3]'],
    ['a body with a raw NUL', Buffer.from('\u0000{"event": "x"}')],
    ['nothing', ''],
  ])('%s with a good signature is kept, parked and blocks nobody', async (_what, body) => {
    const before = await countOf(engine.database, sql`parked_event`);
    expect(await tell(body)).toBe(200);
    expect(await tell(message('goes on', `A${randomUUID()}`))).toBe(200);
    await untilRows(engine.database, sql`message where body = 'goes on'`);
    await untilRows(engine.database, sql`parked_event`, before + 1);
    await rowsOf(engine.database, sql<object>`delete from message where body = 'goes on'`);
  });

  it('an event that cannot be applied is parked with its error and those around it are applied', async () => {
    const { name } = agency.session;
    const broken = JSON.stringify({ event: 'message.any', session: name, payload: { body: 'no id' }, timestamp: 1 });
    expect(await tell(message('before', 'B1'))).toBe(200);
    expect(await tell(broken)).toBe(200);
    expect(await tell(message('after', 'B2'))).toBe(200);
    await untilRows(engine.database, sql`message where body in ('before', 'after')`, 2);
    const parked = await eventually(async () => {
      const rows = await rowsOf(
        engine.database,
        sql<object>`select error, attempts from parked_event where session_name = ${name}`,
      );
      return rows.length > 0 && rows;
    });
    expect(parked).toEqual([{ error: 'UnreadableEvent', attempts: 1 }]);
  });

  it('an event that meets trouble of our own is applied when the trouble is over', async () => {
    const { name } = agency.session;
    await rowsOf(engine.database, sql<object>`alter table message rename column body to troubled`);
    expect(await tell(message('through the trouble', 'T1'))).toBe(200);
    await untilRows(engine.database, sql`backend_event where session_name = ${name} and attempts >= 2`);
    await rowsOf(engine.database, sql<object>`alter table message rename column troubled to body`);
    await untilRows(engine.database, sql`message where body = 'through the trouble'`);
  });

  it('an event that is repeated is stored once, and under another id changes nothing', async () => {
    const body = message('once', 'C1');
    const requestId = randomUUID();
    for (const id of [requestId, requestId, randomUUID()]) expect(await tell(body, id)).toBe(200);
    await untilRows(engine.database, sql`backend_event where body like '%_C1"%' and applied_at is not null`, 2);
    expect(await countOf(engine.database, sql`message where network_id = 'C1'`)).toBe(1);
    expect(await countOf(engine.database, sql`event where type = 'message' and body like '%"once"%'`)).toBe(1);
  });

  it('an event of a session that is nobody’s is applied to nothing', async () => {
    expect(await tell(message('for another engine', 'D1', 'somebody_elses'))).toBe(200);
    await untilRows(
      engine.database,
      sql`backend_event where session_name = 'somebody_elses' and applied_at is not null`,
    );
    expect(await countOf(engine.database, sql`message where network_id = 'D1'`)).toBe(0);
  });

  it('the events of a session are applied in the order in which they came', async () => {
    for (let index = 0; index < 40; index += 1) await tell(message(`ordered ${index}`, `E${index}`));
    await untilRows(engine.database, sql`message where body like 'ordered %'`, 40);
    const told = await rowsOf(
      engine.database,
      sql<{ body: string }>`select body::jsonb->'payload'->>'body' as body from event
        where session_id = ${agency.session.id} and body like '%"ordered %' order by sequence`,
    );
    expect(told.map(({ body }) => body)).toEqual(Array.from({ length: 40 }, (_, index) => `ordered ${index}`));
  });

  it('a message with NUL and half a character is kept without them', async () => {
    await personWrites(engine, agency.session.name, { from: '15550100902', text: 'a\u0000b\ud800c', id: 'NUL1' });
    await untilRows(engine.database, sql`message where network_id = 'NUL1'`);
    const [row] = await rowsOf(
      engine.database,
      sql<{ body: string }>`select body from message where network_id = 'NUL1'`,
    );
    expect(row?.body).toMatch(/^ab.c$/u);
  });
});
