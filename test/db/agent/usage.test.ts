import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  BudgetFacts,
  budgetOf,
  forgetUsage,
  recordUsage,
  reserveBudget,
  returnReservation,
} from '../../../db/agent/usage.ts';
import type { Spender } from '../../../db/agent/usage.ts';
import { one } from '../../../db/engine/rows.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { RESERVATION_MS, STEP_DOWN_AT } from '../../../domain/agent/budget.ts';
import type { Budgets } from '../../../domain/agent/budget.ts';
import { listSpending, writeCeilings } from '../../../db/tenants/limits.ts';
import { ensureTenant } from '../../../db/tenants/tenant.ts';
import { changeRows, findRows, json, not } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { beginTurn } from './takeover/scene.ts';

const UNLIMITED: Budgets = { maxRepliesPerContactPerHour: 0, maxTokensPerContactPerDay: 0, maxTokensPerDay: 0 };
const NOTHING = { replies: 0, tokens: 0, costMicros: 0 };

const { database, sessionId } = await databaseOfThisFile();

describe('the budgets of the agent', () => {
  let people = 0;

  /** A contact with a conversation, on a day of its own. */
  async function aContact(): Promise<Spender & { conversationId: string; contactId: string }> {
    people += 1;
    database.clock.advance(86_400_000);
    const chat = { chatId: `1555${4_000_000 + people}@c.us` };
    const made = await database.transaction((tx) => ensureConversation(tx, { ...SCOPE, sessionId }, chat));
    return { ...SCOPE, conversationId: made.id, contactId: made.contactId ?? '' };
  }
  const use = (spender: Spender, tokens: number, reservation?: string) =>
    database.transaction((tx) => recordUsage(tx, spender, { replies: 1, tokens, costMicros: 7 }, reservation));
  const look = (of: Spender & { conversationId: string }, budgets: Partial<Budgets>) =>
    database.read(async (queries) => {
      const found = await one(queries, z.object({ budget: BudgetFacts }))`
        select agent_budget(${of.agencyId}, ${of.tenantId}, ${of.contactId}, ${of.conversationId},
          ${JSON.stringify({ ...UNLIMITED, ...budgets })}::jsonb, ${queries.now}, ${STEP_DOWN_AT},
          ${RESERVATION_MS} * interval '1 millisecond') as budget`;
      return budgetOf(found.budget);
    });
  const reserve = (spender: Spender, id: string, tokens: number, budgets: Partial<Budgets>) =>
    database.transaction((tx) => reserveBudget(tx, spender, { id, tokens }, { ...UNLIMITED, ...budgets }));

  async function aReply(conversationId: string): Promise<void> {
    await database.transaction(async (tx) => {
      const turn = await beginTurn(tx, conversationId);
      await changeRows(tx, 'aiTurn', { outcome: 'reply', endedAt: tx.now }, { id: turn });
    });
  }

  it('are counted for the tenant and the contact, a row each for a day of UTC', async () => {
    const contact = await aContact();
    await Promise.all([use(contact, 100), use(contact, 50), use({ ...SCOPE, contactId: null }, 5)]);
    const day = database.clock.now().toISOString().slice(0, 10);
    const columns = { whose: 'contactId', replies: 'replies', tokens: 'tokens', cost: 'costMicros' } as const;
    expect(await findRows(database, 'aiUsage', { day, tenantId: not('') }, columns, 'contactId')).toEqual([
      { whose: '', replies: 3, tokens: '155', cost: '21' },
      { whose: contact.contactId, replies: 2, tokens: '150', cost: '14' },
    ]);
  });

  it('step down at four fifths of the day’s tokens and are spent at all of them, until the next day', async () => {
    const contact = await aContact();
    for (const [tokens, budget] of [
      [79, 'ok'],
      [1, 'step_down'],
      [19, 'step_down'],
      [1, 'spent'],
    ] as const) {
      await use(contact, tokens);
      expect(await look(contact, { maxTokensPerDay: 100 })).toBe(budget);
      expect(await look(contact, { maxTokensPerContactPerDay: 100 })).toBe(budget);
      expect(await look(contact, {})).toBe('ok');
    }
    database.clock.advance(86_400_000);
    expect(await look(contact, { maxTokensPerDay: 100, maxTokensPerContactPerDay: 100 })).toBe('ok');
  });

  it('of one contact are not another’s, and the tenant’s are everybody’s', async () => {
    const spends = await aContact();
    await use(spends, 100);
    const other = { ...(await aContact()), contactId: 'con_other' };
    await use(other, 0);
    database.clock.advance(-86_400_000);
    expect(await look(other, { maxTokensPerContactPerDay: 100 })).toBe('ok');
    expect(await look(other, { maxTokensPerDay: 100 })).toBe('spent');
    const elsewhere = { ...other, tenantId: 'another' };
    expect(await look(elsewhere, { maxTokensPerDay: 100 })).toBe('ok');
    database.clock.advance(86_400_000);
  });

  it('count the replies of the last hour to a contact', async () => {
    const contact = await aContact();
    const budgets = { maxRepliesPerContactPerHour: 2 };
    await aReply(contact.conversationId);
    database.clock.advance(1_800_000);
    expect(await look(contact, budgets)).toBe('ok');
    await aReply(contact.conversationId);
    expect(await look(contact, budgets)).toBe('spent');
    database.clock.advance(1_800_001);
    expect(await look(contact, budgets)).toBe('ok');
  });

  it('are passed by one request at the most, though fifty conversations ask at the same time', async () => {
    for (const kind of ['maxTokensPerDay', 'maxTokensPerContactPerDay'] as const) {
      const contact = await aContact();
      const budgets = { [kind]: 1_000 };
      const answers: string[] = [];
      const one = async (index: number): Promise<void> => {
        const id = `${kind}-${index}`;
        for (;;) {
          const answer = await reserve(contact, id, 150, budgets);
          if (answer === 'wait') continue;
          answers.push(answer);
          // The use is lower than the reservation, as always.
          if (answer !== 'spent') await use(contact, 40 + (index % 7) * 10, id);
          return;
        }
      };
      await Promise.all(Array.from({ length: 50 }, (_, index) => one(index)));
      const contactId = kind === 'maxTokensPerDay' ? '' : contact.contactId;
      const [used] = await findRows(database, 'aiUsage', { contactId }, ['tokens'], { newestFirst: 'day' });
      expect(Number(used?.tokens)).toBeGreaterThanOrEqual(1_000);
      expect(Number(used?.tokens)).toBeLessThan(1_100);
      expect(new Set(answers)).toEqual(new Set(['ok', 'step_down', 'spent']));
    }
  });

  it('are set aside once however often the same request asks, and free when it is given up or its process is gone', async () => {
    const contact = await aContact();
    const budgets = { maxTokensPerDay: 100 };
    for (let time = 0; time < 3; time += 1) expect(await reserve(contact, 'again', 200, budgets)).toBe('ok');
    expect(await reserve(contact, 'other', 1, budgets)).toBe('wait');
    expect(await look(contact, budgets)).toBe('step_down');
    await database.transaction((tx) => returnReservation(tx, 'again'));
    expect(await reserve(contact, 'other', 200, budgets)).toBe('ok');
    expect(await reserve(contact, 'third', 1, budgets)).toBe('wait');
    database.clock.advance(RESERVATION_MS);
    expect(await reserve(contact, 'third', 1, budgets)).toBe('ok');
    await database.transaction((tx) => recordUsage(tx, contact, NOTHING, 'third'));
    await database.transaction((tx) => forgetUsage(tx, 1_000));
    expect(await findRows(database, 'aiReservation')).toEqual([]);
  });
});

describe('the ceilings of the operator', () => {
  const NONE = {
    tokensPerDay: 0,
    costPerDay: 0,
    tenantTokensPerDay: 0,
    tenantCostPerDay: 0,
    tenants: 0,
    automationsRunning: 0,
    storageBytes: 0,
    tenantStorageBytes: 0,
    automationsPerMinute: 0,
  };
  const RATES = { keyRatePerMinute: 0, keyRateBurst: 1, ratePerMinute: 0, rateBurst: 1, share: 1 };
  const set = (ceilings: Partial<typeof NONE>) =>
    database.statement((tx) => writeCeilings(tx, { ...RATES, ...NONE, ...ceilings }));
  const other = { ...SCOPE, tenantId: 'another', contactId: null };
  const ours = { ...SCOPE, contactId: null };
  const spend = (spender: Spender, tokens: number, costMicros = 0) =>
    database.transaction((tx) => recordUsage(tx, spender, { replies: 0, tokens, costMicros }));
  const ask = (spender: Spender, persona: Partial<Budgets> = {}) =>
    database.transaction((tx) =>
      reserveBudget(tx, spender, { id: `${spender.tenantId}/ceiling`, tokens: 1 }, { ...UNLIMITED, ...persona }),
    );

  beforeEach(() => database.clock.advance(86_400_000));
  afterEach(() => set({}));

  it('hold where a persona has no limit, or a higher one', async () => {
    await set({ tenantTokensPerDay: 100 });
    await spend(ours, 90);
    expect(await ask(ours)).toBe('step_down');
    expect(await ask(ours, { maxTokensPerDay: 1_000_000 })).toBe('step_down');
    expect(await ask(ours, { maxTokensPerDay: 50 })).toBe('spent');
    expect(await ask(other)).toBe('ok');
    await spend(ours, 10);
    expect(await ask(ours)).toBe('spent');
  });

  it('hold for all tenants of an agency together, however many it makes', async () => {
    await set({ tokensPerDay: 100 });
    await spend(ours, 60);
    await spend(other, 40);
    expect([await ask(ours), await ask(other)]).toEqual(['spent', 'spent']);
    expect(await ask({ agencyId: 'rival', tenantId: 't', contactId: null })).toBe('ok');
    const spending = await database.read(listSpending);
    expect(spending).toContainEqual({ agencyId: SCOPE.agencyId, tokens: 100, costMicros: 0 });
  });

  it('count what requests under way may use, too', async () => {
    await set({ tokensPerDay: 100 });
    await database.transaction((tx) => reserveBudget(tx, other, { id: 'under-way', tokens: 100 }, UNLIMITED));
    expect(await ask(ours)).toBe('wait');
    await database.transaction((tx) => returnReservation(tx, 'under-way'));
    expect(await ask(ours)).toBe('ok');
  });

  it('are of money where prices are known', async () => {
    await set({ tenantCostPerDay: 2, costPerDay: 3 });
    await spend(ours, 1, 2_000_000);
    expect([await ask(ours), await ask(other)]).toEqual(['spent', 'ok']);
    await spend(other, 1, 1_000_000);
    expect(await ask(other)).toBe('spent');
  });

  it('are others for an agency for which the operator has set them', async () => {
    await set({ tokensPerDay: 100 });
    await spend(ours, 100);
    const allow = (limits: object) => changeRows(database, 'agency', { limits: json(limits) }, { id: SCOPE.agencyId });
    await allow({ tokensPerDay: 1_000 });
    expect(await ask(ours)).toBe('ok');
    await allow({});
    expect(await ask(ours)).toBe('spent');
  });

  it('bound how many tenants an agency makes, and leave those that are there', async () => {
    await set({ tenants: 1 });
    const ensure = (tenantId: string) =>
      database.transaction((tx) => ensureTenant(tx, { agencyId: SCOPE.agencyId, tenantId }));
    expect([await ensure(SCOPE.tenantId), await ensure('one-more')]).toEqual([true, false]);
    await set({});
    expect(await ensure('one-more')).toBe(true);
  });
});
