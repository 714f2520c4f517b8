import { describe, expect, it } from '@jest/globals';
import { createLabelActivities } from '../../../activities/automations/labels.ts';
import { setAutomation } from '../../../db/automations/automation.ts';
import { isChangedByAutomation, takeLabelLease } from '../../../db/conversations/labels/label-lease.ts';
import { createFairSlots } from '../../../domain/fair-slots.ts';
import { notSupported } from '../../../domain/network/capabilities.ts';
import { everywhere } from '../../adapters/backend/only-backend.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { changeRows, countRows, plus } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { anExecution } = executionScene(database, session);

const known = [
  { id: '1', name: 'New', color: 0, colorHex: null },
  { id: '2', name: 'VIP', color: 1, colorHex: null },
];
const chats = new Map<string, string[]>();
/** The network's reaction right after the request. */
let onSet = async (_chatId: string): Promise<void> => undefined;
let calls = 0;
/** The network's engine has no labels. */
let isUnable = false;
const backend = {
  listLabels: async () => {
    calls += 1;
    if (isUnable) throw notSupported('labels', 'NOWEB');
    return known;
  },
  listLabelsOfChat: async ({ chatId }: { chatId: string }) => chats.get(chatId) ?? [],
  setLabelsOfChat: async ({ chatId }: { chatId: string }, ids: readonly string[]) => {
    chats.set(chatId, [...ids]);
    await onSet(chatId);
    return null;
  },
};
const { labelChat } = createLabelActivities({
  database,
  backends: everywhere(backend),
  limits: everywhere(createFairSlots({ perOwner: 4, inAll: 64 })),
});

const step = (executionId: string, number = 1) => ({ executionId, number, name: 'label', besidePeople: false });
const label = (executionId: string, name: string, more: { mode?: 'add' | 'remove'; number?: number } = {}) => {
  const { mode = 'add', number = 1 } = more;
  return inActivity(labelChat, { ...step(executionId, number), label: name, mode });
};
const as = async (change: { status: string }): Promise<void> => {
  await changeRows(database, 'session', change, { id: session.id });
};

describe('labelChat: an automation that labels its chat', () => {
  it('puts the label of that name beside the others, and takes it off, once for each step', async () => {
    const { executionId, chatId } = await anExecution();
    chats.set(chatId, ['1']);
    expect(await label(executionId, 'vip')).toEqual({ stop: null, detail: { labelId: '2', mode: 'add' } });
    expect(chats.get(chatId)).toEqual(['1', '2']);
    const before = calls;
    await label(executionId, 'vip');
    expect(calls).toBe(before);
    await label(executionId, 'VIP', { mode: 'remove', number: 2 });
    expect(chats.get(chatId)).toEqual(['1']);
    expect(await countRows(database, 'labelLease')).toBe(0);
  });

  it('starts no automation, also where the network tells of it before it has answered', async () => {
    const { executionId, chatId } = await anExecution();
    const trigger = { event: 'conversation.labelled', label: 'VIP' } as const;
    const params = { texts: {} };
    const set = { definition: 'labelled', enabled: true, keyId: 'key_test', params, trigger };
    await database.transaction((tx) => setAutomation(tx, session, set));
    const told = async (): Promise<void> => {
      const event = { kind: 'chat_label', key: `told-${chatId}`, chatId, labelId: '2', isSet: true } as const;
      await database.transaction((tx) => applyNetworkEvent(tx, session, { ...event, at: Date.now(), label: null }));
    };
    onSet = told;
    await label(executionId, 'VIP');
    expect(await countRows(database, 'automationExecution', { definition: 'labelled' })).toBe(0);
    onSet = async () => undefined;
    const { chatId: other } = await anExecution();
    const event = { kind: 'chat_label', key: 'by-phone', chatId: other, labelId: '2', isSet: true } as const;
    await database.transaction((tx) => applyNetworkEvent(tx, session, { ...event, at: Date.now(), label: null }));
    expect(await countRows(database, 'automationExecution', { definition: 'labelled' })).toBe(1);
  });

  it.each([
    ['a label that the account does not have', 'No such', { status: 'WORKING' }, 'label_unknown', true],
    ['an account that is away', 'VIP', { status: 'FAILED' }, 'session_not_ready', false],
  ])('fails by a name for %s', async (_what, name, change, type, nonRetryable) => {
    const { executionId } = await anExecution();
    await as(change);
    await expect(label(executionId, name)).rejects.toMatchObject({ type, nonRetryable });
    await as({ status: 'WORKING' });
  });

  it('fails by a name where the engine of the account has no labels', async () => {
    const { executionId } = await anExecution();
    isUnable = true;
    await expect(label(executionId, 'VIP')).rejects.toMatchObject({
      type: 'not_supported_by_engine',
      nonRetryable: true,
    });
    isUnable = false;
  });

  it('waits while a request changes the labels of the chat', async () => {
    const { executionId, chatId } = await anExecution();
    const chat = { sessionId: session.id, chatId };
    await database.statement((tx) => takeLabelLease(tx, chat, { forMs: 60_000 }));
    await expect(label(executionId, 'VIP')).rejects.toMatchObject({ type: 'busy', nonRetryable: false });
    expect(chats.get(chatId)).toBeUndefined();
  });

  it('counts as what changes the labels for a minute after its lease, also where its worker was killed', async () => {
    const chat = { sessionId: session.id, chatId: '15558009999@c.us' };
    const leased = (forMs: number) =>
      database.statement((tx) => takeLabelLease(tx, chat, { forMs, byAutomation: true }));
    const counts = () => database.read((queries) => isChangedByAutomation(queries, chat));
    await leased(-30_000);
    expect(await counts()).toBe(true);
    await leased(-61_000);
    expect(await counts()).toBe(false);
  });

  it('does nothing once a person has taken the conversation over', async () => {
    const { executionId, conversationId, chatId } = await anExecution();
    await changeRows(database, 'conversation', { mode: 'human_takeover', epoch: plus(1) }, { id: conversationId });
    expect(await label(executionId, 'VIP')).toEqual({ stop: 'taken_over' });
    expect(chats.get(chatId)).toBeUndefined();
  });
});
