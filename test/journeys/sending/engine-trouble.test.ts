import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { anAgencyWithScopedKey } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { rowsOf } from '../../support/rows.ts';
import { textsSeenBy } from '../../support/sandbox-record.ts';
import { passportOf, send, untilStatus } from '../../support/sends.ts';

describe('a text that cannot be claimed by a fault of the engine', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'troubled' });
  });
  afterAll(() => engine.close());

  it('gives its place back to others, says so in its passport, and goes out once when the fault is gone', async () => {
    await rowsOf(
      engine.database,
      sql<object>`create function broken() returns trigger language plpgsql as 'begin raise exception ''broken''; end'`,
    );
    await rowsOf(
      engine.database,
      sql<object>`create trigger broken before update on message for each row
        when (new.status = 'sending' and new.body = 'of the fault') execute function broken()`,
    );
    const { messageId } = await send(engine, agency, '15550103301', 'of the fault');
    await eventually(
      async () => {
        const { history, status } = await passportOf(engine, agency, messageId);
        return status === 'queued' && history.some(({ reason }) => reason === 'engine_trouble');
      },
      { what: 'its place to be given back' },
    );
    const other = await send(engine, agency, '15550103302', 'of no fault');
    await untilStatus(engine, agency, other.messageId, 'read');
    await rowsOf(engine.database, sql<object>`drop function broken() cascade`);
    await eventually(
      async () => {
        engine.database.clock.advance(5_000);
        return (await passportOf(engine, agency, messageId)).status === 'read';
      },
      { withinMs: 45_000, what: 'it to be read' },
    );
    expect(await textsSeenBy(engine, agency.session.name, '15550103301@c.us')).toEqual(['of the fault']);
  });
});
