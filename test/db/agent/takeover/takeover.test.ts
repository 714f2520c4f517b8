import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { claimMessage } from '../../../../db/sending/claim.ts';
import type { ClaimResult } from '../../../../db/sending/claim.ts';
import type { Database } from '../../../../db/engine/database.ts';
import { handOver } from '../../../../db/agent/handover.ts';
import { listAiInFlight } from '../../../../db/agent/takeover.ts';
import { updateAgentState, updatePersona } from '../../../../db/tenants/tenant.ts';
import { changeRows, findRows } from '../../../support/rows.ts';
import { aConversationWithAiMessages, SCOPE } from '../../a-database.ts';
import { databaseOfThisFile } from '../../database-of-this-file.ts';
import { withBoundaries } from '../../sending/boundaries.ts';
import { stepped } from '../../sending/stepped.ts';
import type { Stepped } from '../../sending/stepped.ts';

/** The facts of one race between a claim and a takeover. */
interface Race {
  claim: Stepped<ClaimResult>;
  takeover: Stepped<unknown>;
  /** The messages in the takeover's response: read in a new statement after its commit. */
  inFlight: () => string[] | undefined;
}

const { database, sessionId } = await databaseOfThisFile();
await withBoundaries(database);

describe('the takeover fence', () => {
  const claimed = (messageId: string) => (tx: Parameters<Parameters<Database['transaction']>[0]>[0]) =>
    claimMessage(tx, messageId, { token: randomUUID(), owner: '1', chosenNetworkId: null });
  const scope = { ...SCOPE, sessionId: null };
  const byPerson = { mode: 'human_takeover', cause: 'assign' } as const;

  async function race(messageId: string, conversationId: string, of: 'conversation' | 'tenant'): Promise<Race> {
    let inFlight: string[] | undefined;
    const claim = stepped(database, claimed(messageId));
    const takeover = stepped(
      database,
      async (tx) => {
        if (of === 'conversation') await handOver(tx, scope, conversationId, byPerson);
        else await updateAgentState(tx, SCOPE, { mode: 'human_takeover' });
      },
      async () => {
        const rows = await database.read((queries) =>
          listAiInFlight(queries, { ...SCOPE, sessionId: null }, conversationId),
        );
        inFlight = rows.map((row) => row.messageId);
      },
    );
    return { claim, takeover, inFlight: () => inFlight };
  }

  /** The promise to whoever takes over: what is sent after the answer is named in it. */
  async function check({ claim, takeover, inFlight }: Race, messageId: string): Promise<ClaimResult['claim']> {
    await takeover.result;
    const result = await claim.result;
    if (result.claim === 'claimed') expect(inFlight()).toContain(messageId);
    else expect(['refused', 'ended']).toContain(result.claim);
    await changeRows(database, 'tenant', { aiMode: 'bot_active', aiEpoch: 0 });
    // Nobody makes the call: what is left on its way would hold the session's next.
    await changeRows(database, 'message', { status: 'failed' }, { status: ['queued', 'sending'] });
    return result.claim;
  }

  async function finish(one: Stepped<unknown>, other: Stepped<unknown>): Promise<void> {
    while (!one.over || !other.over) {
      await one.step();
      await other.step();
    }
  }

  it.each(['conversation', 'tenant'] as const)(
    'an AI claim held open at each of its statements cannot slip past a takeover of the %s',
    async (of) => {
      const outcomes = new Set<string>();
      for (let held = 0; ; held += 1) {
        const { conversationId, messageIds } = await aConversationWithAiMessages(database, sessionId);
        const running = await race(messageIds[0], conversationId, of);
        for (let done = 0; done < held && !running.claim.over; done += 1) await running.claim.step();
        const whole = running.claim.over;
        while (!running.takeover.over && !running.takeover.blocked) await running.takeover.step();
        await finish(running.claim, running.takeover);
        outcomes.add(await check(running, messageIds[0]));
        if (whole) break;
      }
      expect(outcomes).toContain('claimed');
      expect([...outcomes].some((outcome) => outcome !== 'claimed')).toBe(true);
    },
  );

  it.each(['conversation', 'tenant'] as const)(
    'an AI claim cannot pass a takeover of the %s that is held open at each of its statements',
    async (of) => {
      for (let held = 1; ; held += 1) {
        const { conversationId, messageIds } = await aConversationWithAiMessages(database, sessionId);
        const running = await race(messageIds[0], conversationId, of);
        for (let done = 0; done < held && !running.takeover.over; done += 1) await running.takeover.step();
        const whole = running.takeover.over;
        while (!running.claim.over && !running.claim.blocked) await running.claim.step();
        await finish(running.takeover, running.claim);
        // The first step is where it learns which connection it has.
        const outcome = await check(running, messageIds[0]);
        if (held > 1) expect(outcome).not.toBe('claimed');
        if (whole) break;
      }
    },
  );

  it('a takeover cancels what nobody has claimed and says why', async () => {
    const { conversationId, messageIds } = await aConversationWithAiMessages(database, sessionId);
    await database.transaction(claimed(messageIds[0]));
    await database.transaction((tx) => handOver(tx, scope, conversationId, byPerson));
    const rows = await findRows(
      database,
      'message',
      { conversationId },
      { id: 'id', status: 'status', reason: 'errorCode' },
      'chatSeq',
    );
    expect(rows).toEqual([
      { id: messageIds[0], status: 'sending', reason: null },
      { id: messageIds[1], status: 'cancelled', reason: 'taken_over' },
    ]);
  });

  it.each([
    ['a person has the tenant', { mode: 'human_takeover' as const }, undefined],
    ['the agent is off', { enabled: false }, undefined],
    ['the persona is not active', undefined, { active: false }],
  ])('an AI message that was written after the change is not claimed while %s', async (_when, state, persona) => {
    await database.transaction(async (tx) => {
      if (state) await updateAgentState(tx, SCOPE, state);
      if (persona) await updatePersona(tx, SCOPE, persona);
    });
    // Its turn looked at the state before the change and at the epochs after it.
    const { messageIds } = await aConversationWithAiMessages(database, sessionId);
    expect(await database.transaction(claimed(messageIds[0]))).toMatchObject({ claim: 'refused', status: 'cancelled' });
    await changeRows(database, 'tenant', { aiMode: 'bot_active', aiEnabled: true, persona: null });
  });
});
