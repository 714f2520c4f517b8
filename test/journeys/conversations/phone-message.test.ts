import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { among, changeRows, countRows, earlier, findRows, not, untilCount } from '../../support/rows.ts';
import { ownerWrites, personWrites } from '../../support/sandbox-record.ts';
import { send, untilStatus } from '../../support/sends.ts';

const Page = z.object({ messages: z.array(z.looseObject({ messageId: z.string(), body: z.string() })) });
const ENGINES = ['NOWEB', 'GOWS', 'WEBJS'] as const;

describe('a message that the owner writes on the phone', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'owner' });
    await untilCount(engine.database, 'session', { syncedAt: not(null) });
    const path = '/api/v1/ai-sales-agent/state';
    const { agencyId, tenantId, dashboardKey: key } = agency;
    const body = { agencyId, tenantId, enabled: true, mode: 'bot_active' };
    await call(engine, 'PUT', path, { key, body });
    // An answer of the agent would take the fault that is meant for the offer.
    const persona = { agencyId, tenantId, quietPeriodMs: 60_000, maxWaitMs: 60_000 };
    await call(engine, 'PUT', '/api/v1/ai-sales-agent/persona', { key, body: persona });
  });
  afterAll(() => engine.close());
  afterEach(() => engine.control('DELETE', '/faults'));

  const messagesOf = async (chatId: string) => {
    const [chat] = await findRows(engine.database, 'conversation', { chatId, mergedInto: null }, ['id']);
    const path = `/api/v1/inbox/conversations/${chat?.id ?? ''}/messages`;
    return Page.parse((await call(engine, 'GET', path, { key: agency.scopedKey })).body).messages;
  };
  const takeovers = (chatId: string) =>
    countRows(engine.database, 'event', {
      conversationId: among('conversation', { chatId }),
      type: 'conversation.assigned',
    });

  it.each(ENGINES)('is in the inbox before it is matched, and takes over once it is, with %s', async (platform) => {
    const { name } = agency.session;
    await engine.control('POST', `/sessions/${name}/engine`, { engine: platform });
    const phone = `155501006${String(ENGINES.indexOf(platform) + 70)}`;
    const chatId = `${phone}@c.us`;
    await personWrites(engine, name, { from: phone, text: 'Hello?' });
    await untilCount(engine.database, 'conversation', { chatId });
    // The backend does not answer this send, so it stays unsettled.
    await engine.control('POST', '/faults', { route: 'sendText', kind: 'hang', session: name });
    const offer = await send(engine, agency, phone, 'An offer');
    await untilStatus(engine, agency, offer.messageId, 'sending');
    const networkId = await ownerWrites(engine, name, { to: phone, text: 'I am on my way' });
    await untilCount(engine.database, 'parkedOwnMessage', { networkId });
    const before = (await messagesOf(chatId)).find(({ body }) => body === 'I am on my way');
    expect(await countRows(engine.database, 'parkedOwnMessage', { networkId })).toBe(1);
    expect(before).toMatchObject({ origin: 'phone', matching: true, fromMe: true });
    expect(await takeovers(chatId)).toBe(0);
    await changeRows(engine.database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 10 }) }, { networkId });
    await eventually(async () => (await takeovers(chatId)) === 1);
    const after = (await messagesOf(chatId)).filter(({ body }) => body === 'I am on my way');
    expect(after).toMatchObject([{ messageId: before?.messageId, origin: 'phone' }]);
    expect(after[0]).not.toHaveProperty('matching');
  });
});
