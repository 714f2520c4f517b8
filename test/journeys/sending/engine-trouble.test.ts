import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAgencyWithScopedKey } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { refuseRows } from '../../support/rows.ts';
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
    const mend = await refuseRows(engine.database, 'message', {
      on: 'update',
      where: { status: 'sending', body: 'of the fault' },
    });
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
    await mend();
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
