import { describe, expect, it } from '@jest/globals';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { sendsOf } from '../../support/sandbox-record.ts';
import { passportOf, send, untilStatus } from '../../support/sends.ts';

const NEVER_ACKS = '15550300002';
const DROPS_THE_ANSWER = '15550300005';

describe('a send of which the backend shows nothing', () => {
  it.concurrent(
    'goes out once as native buttons whose answer is lost, and is uncertain, or known by its ack',
    async () => {
      const engine = await startEngine({ sandbox: { engine: 'NOWEB' } });
      try {
        const agency = await anAgencyWithScopedKey(engine, { agencyId: 'relays' });
        await showsASend(engine, agency);
        const { name: session } = agency.session;
        await engine.control('POST', '/faults', { route: 'sendButtons', kind: 'dropAfter', session });
        const silent = await sendButtons(engine, agency, NEVER_ACKS);
        await eventually(async () => (await sendsOf(engine, session)).length === 2);
        const acked = await sendButtons(engine, agency, DROPS_THE_ANSWER);
        // No time passes meanwhile: a slow machine would hear of the ack after the message is called uncertain.
        await untilStatus(engine, agency, acked, 'read');
        expect(await outcomeOf(engine, agency, silent)).toMatchObject({
          status: 'uncertain',
          error: { code: 'outcome_unknown' },
        });
        const chats = (await sendsOf(engine, session)).map(({ chatId }) => chatId ?? '');
        expect(chats.slice(1).toSorted()).toEqual([`${NEVER_ACKS}@c.us`, `${DROPS_THE_ANSWER}@c.us`]);
      } finally {
        await engine.close();
      }
    },
  );

  it.concurrent.each([-30_000, 120_000])(
    'is not sent again by the word of a backend whose clock is %i ms ahead',
    async (clockAheadMs) => {
      const engine = await startEngine({ sandbox: { engine: 'WEBJS' } });
      try {
        const agency = await anAgencyWithScopedKey(engine, { agencyId: 'skewed' });
        await showsASend(engine, agency);
        const { name: session } = agency.session;
        await engine.control('POST', '/faults', { clockAheadMs });
        await engine.control('POST', '/faults', { route: 'sendText', kind: 'drop', session });
        const lost = await send(engine, agency, NEVER_ACKS, 'broke before it went out');
        await eventually(async () => (await sendsOf(engine, session)).length === 2);
        const gone = await send(engine, agency, DROPS_THE_ANSWER, 'broke after it went out');
        expect((await outcomeOf(engine, agency, lost.messageId)).status).toBe('uncertain');
        const { status } = await outcomeOf(engine, agency, gone.messageId);
        // Its acks come one after the other, and the look may be between them.
        expect(['uncertain', 'sent', 'delivered', 'read']).toContain(status);
        const sends = await sendsOf(engine, session);
        expect(sends.map(({ reachedNetwork }) => reachedNetwork)).toEqual([true, false, true]);
      } finally {
        await engine.close();
      }
    },
  );
});

/** A missing message proves something only at a backend that shows its sends. */
async function showsASend(engine: TestEngine, agency: Agency): Promise<void> {
  const { messageId } = await send(engine, agency, '15550109999', 'shows that its store shows sends');
  await untilStatus(engine, agency, messageId, 'read');
}

async function sendButtons(engine: TestEngine, agency: Agency, to: string): Promise<string> {
  const body = { to, body: 'May we come?', buttons: [{ type: 'reply', text: 'Yes' }] };
  const answer = await call(engine, 'POST', '/api/v1/sendButtons', { key: agency.scopedKey, body });
  expect(answer.status).toBe(202);
  return String(answer.body['messageId']);
}

/** Lets the time pass in which it is looked for. */
async function outcomeOf(engine: TestEngine, agency: Agency, messageId: string) {
  return eventually(
    async () => {
      engine.database.clock.advance(30_000);
      const passport = await passportOf(engine, agency, messageId);
      return ['queued', 'sending'].includes(passport.status) ? undefined : passport;
    },
    { withinMs: 45_000 },
  );
}
