import { describe, expect, it } from '@jest/globals';
import { anAgencyWithScopedKey } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import { sendsOf } from '../../support/sandbox-record.ts';
import { send, untilStatus } from '../../support/sends.ts';

/** An absence after a broken connection is believed later than the sandbox shows a send that is in doubt. */
const settleDelays = {
  afterErrorAnswerMs: 300,
  afterBrokenConnectionMs: 30_000,
  longestFileCallMs: 0,
  giveUpAfterMs: 1_000,
};

/** Each answers a send in a shape of its own, and not all take an id that the caller chooses. */
const BACKENDS = [
  { engine: 'NOWEB', chosen: true },
  { engine: 'GOWS', chosen: true },
  { engine: 'WEBJS', chosen: false },
] as const;

describe('a send whose outcome is unknown', () => {
  // At the same time: most of it is waiting, and each has an engine of its own.
  it.concurrent.each(BACKENDS)(
    'is found, or sent again once it is certainly absent, or uncertain, at a $engine',
    async ({ engine: platform, chosen }) => {
      const engine = await startEngine({ sandbox: { engine: platform }, settleDelays });
      try {
        const agency = await anAgencyWithScopedKey(engine, { agencyId: 'settles' });
        const { name: session } = agency.session;
        const first = await send(engine, agency, '15550109999', 'shows that its store shows sends');
        await untilStatus(engine, agency, first.messageId, 'read');
        const dropped = await send(engine, agency, '15550100005', 'dropped after it went out');
        const failed = await send(engine, agency, '15550100012', 'answered 500 after it went out');
        const unknown = await send(engine, agency, '15550100017', 'nobody can know');
        const inDoubt = await send(engine, agency, '15550100018', 'shown after a while');
        await untilStatus(engine, agency, dropped.messageId, 'read');
        await untilStatus(engine, agency, failed.messageId, 'read');
        await untilStatus(engine, agency, unknown.messageId, 'uncertain');
        const found = await untilStatus(engine, agency, inDoubt.messageId, 'read');
        expect(found.history.map(({ reason }) => reason)).toContain('settling');
        await engine.control('POST', '/faults', { route: 'sendText', kind: 'status500', session });
        const absent = await send(engine, agency, '15550100501', 'answered 500 and not sent');
        const passport = await untilStatus(engine, agency, absent.messageId, 'read');
        const sendings = passport.history.flatMap(({ status, reason }) => (status === 'sending' ? [reason] : []));
        expect(sendings).toEqual([null, 'settling', null]);
        const sends = (await sendsOf(engine, session)).filter(({ reachedNetwork }) => reachedNetwork);
        expect(sends.map(({ body }) => body ?? '').toSorted()).toEqual([
          'answered 500 after it went out',
          'answered 500 and not sent',
          'dropped after it went out',
          'nobody can know',
          'shown after a while',
          'shows that its store shows sends',
        ]);
        expect(sends.every(({ chosenId }) => (chosenId !== null) === chosen)).toBe(true);
      } finally {
        await engine.close();
      }
    },
  );
});
