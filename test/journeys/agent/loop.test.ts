import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import type { Where } from '../../support/rows.ts';
import { countRows, findRow, findRows, rowsOf } from '../../support/rows.ts';
import { personWrites } from '../../support/sandbox-record.ts';

/** Six answers faster than anybody types, each way, and the one that is not given any more. */
const MAX_MESSAGES = 14;

describe('two agents that answer each other', () => {
  let engine: TestEngine;
  let [one, other]: Agency[] = [];

  beforeAll(async () => {
    engine = await startEngine({ sandbox: { relay: true, replyDelayMs: 5, ackDelayMs: 5 } });
    one = await anAgencyWithScopedKey(engine, { agencyId: 'one' });
    other = await anAgencyWithScopedKey(engine, { agencyId: 'other' });
    for (const { scopedKey: key } of [one, other]) {
      const put = (what: string, body: object) => call(engine, 'PUT', `/api/v1/ai-sales-agent/${what}`, { key, body });
      await put('persona', { quietPeriodMs: 0, extractMemories: false, splitReplies: false });
      await put('state', { enabled: true });
    }
  });
  afterAll(() => engine.close());

  const answers = (more: Where<'message'>) => countRows(engine.database, 'message', { origin: 'ai', ...more });

  it('stop after a few turns, with a reason on record, and leave it to people', async () => {
    if (!one || !other) throw new Error('There are no agencies.');
    // So long that each is typed faster than anybody could, also where the machine needs seconds for a turn.
    const words = Array.from({ length: 30 }, (_, index) => ({
      text: `Answer ${'abcdefghijklmnopqrstuvwxyzABCDEF'.charAt(index).repeat(300)}`,
    }));
    await engine.control('POST', '/llm/script', { replies: words });
    const { chatId } = await findRow(engine.database, 'session', { id: other.session.id }, ['chatId']);
    // As if the owner of the other number had begun; from here on only the agents write.
    await personWrites(engine, one.session.name, {
      from: chatId?.split('@')[0] ?? '',
      text: 'Hello, is anybody there?',
    });
    await eventually(async () => (await countRows(engine.database, 'aiTurn', { silenceCode: 'loop' })) > 0, {
      what: 'a turn that sees the loop',
    });
    // The last answers may still be on their way from one to the other.
    const settled = async () => {
      const sent = await answers({ status: ['sent', 'delivered', 'read'] });
      const open = await answers({ status: ['scheduled', 'queued', 'sending'] });
      const came = await countRows(engine.database, 'message', { direction: 'in', origin: 'network' });
      return (
        open === 0 &&
        came === sent + 1 &&
        (await countRows(engine.database, 'message', { direction: 'in', awaitsTurn: true })) === 0
      );
    };
    await eventually(settled, { what: 'no message without its turn' });
    expect(await answers({})).toBeLessThanOrEqual(MAX_MESSAGES);
    const inbound = await rowsOf(
      engine.database,
      sql<{ turns: number }>`
        select (select count(*)::int from ai_turn t where m.id = any(t.inbound_message_ids)
          and t.silence_code is distinct from 'newer_message') as turns
        from message m where m.direction = 'in' and m.origin = 'network'`,
    );
    expect(inbound.length).toBeGreaterThan(MAX_MESSAGES / 2);
    expect(inbound.every(({ turns }) => turns === 1)).toBe(true);
    const taken = await findRows(
      engine.database,
      'conversation',
      { mode: 'human_takeover' },
      { by: 'takenOverBy', reason: 'assignedReason' },
    );
    expect(taken).toEqual([{ by: 'agent', reason: 'loop' }]);
  });
});
