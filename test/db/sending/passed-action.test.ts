import { describe, expect, it } from '@jest/globals';
import { endPassedAction, notePassedAction } from '../../../db/sending/actions/passed-action.ts';
import type { NotedAction, PassedAction } from '../../../db/sending/actions/passed-action.ts';
import type { MessageChange } from '../../../domain/network/message-change.ts';
import { executionScene } from '../../activities/automations/execution-scene.ts';
import { addRow, changeRows, databaseNow, earlier, findRow, findRows } from '../../support/rows.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';
import { anEdit, aReaction, aRevoke } from '../network/message-change.ts';
import { aSentMessage } from './a-sent-message.ts';

const { database, session } = await databaseOfThisFile();
const { begins } = executionScene(database, session);
const scope = { agencyId: session.agencyId, tenantId: session.tenantId, sessionId: session.id };
let scenes = 0;
let shownAt = 0;

/** A message of ours, and a run of an automation in its conversation. */
async function aScene({ minutesAgo = 1, isGroup = false } = {}) {
  const number = (scenes += 1);
  const networkId = `PASSED${number}`;
  const chatId = isGroup ? `12036300000000${number}@g.us` : `1555060${1_000 + number}@c.us`;
  const sent = { chatId, networkId, minutesAgo };
  const { messageId, conversationId } = await aSentMessage(database, session.id, sent);
  const executionId = await begins(conversationId);
  const action: PassedAction = { scope, networkId, kind: 'edit', value: 'Come at 6', isByPerson: true, keyId: 'key_1' };
  return {
    messageId,
    networkId,
    note: (changed: Partial<PassedAction>) =>
      database.transaction((tx) => notePassedAction(tx, { ...action, ...changed })),
    async shows(change: MessageChange) {
      shownAt = Math.max(shownAt + 1, database.clock.now().getTime());
      const own = { ...change, by: { ...change.by, fromMe: true }, at: shownAt, toldAt: shownAt };
      await database.transaction((tx) => applyNetworkEvent(tx, session, own));
    },
    isTaken: async () =>
      (await findRow(database, 'automationExecution', { id: executionId }, ['takenOverAt'])).takenOverAt !== null,
    notes: () => findRows(database, 'messageAction', { messageId }, ['kind', 'value', 'status'], ['seq']),
  };
}

async function end(noted: NotedAction | null, outcome: 'done' | 'refused' | 'unknown'): Promise<void> {
  if (noted === null) throw new Error('It must be noted.');
  await database.transaction((tx) => endPassedAction(tx, noted, outcome));
}

describe('what a person does to a message by a route of the backend', () => {
  it.each([
    ['done', true],
    ['unknown', true],
    ['refused', false],
  ] as const)('ends the runs of the conversation once the backend has answered: %s, %s', async (outcome, ends) => {
    const scene = await aScene();
    const noted = await scene.note({});
    expect(await scene.isTaken()).toBe(false);
    await end(noted, outcome);
    expect(await scene.isTaken()).toBe(ends);
    const status = outcome === 'done' ? 'done' : 'uncertain';
    expect(await scene.notes()).toEqual(ends ? [{ kind: 'edit', value: 'Come at 6', status }] : []);
  });

  it('ends them by its echo, if the process ended before the backend answered', async () => {
    const scene = await aScene();
    await scene.note({});
    await scene.shows(anEdit(scene.networkId, 'Come at 6'));
    expect(await scene.isTaken()).toBe(true);
  });

  it.each([
    ['an edit of a text of yesterday', 24 * 60, { kind: 'edit' }],
    ['a deletion of a message of last week', 7 * 24 * 60, { kind: 'revoke', value: null }],
  ] as const)('is not noted where the network certainly refuses it: %s', async (_what, minutesAgo, asked) => {
    const scene = await aScene({ minutesAgo });
    expect(await scene.note(asked)).toBeNull();
    // A bot's would have its echo count as a person's, if the backend allows it after all.
    expect(await scene.note({ ...asked, isByPerson: false })).not.toBeNull();
  });

  it('is not noted of a message that was deleted', async () => {
    const scene = await aScene();
    await scene.shows(aRevoke(scene.networkId));
    expect(await scene.note({ kind: 'reaction', value: '👍' })).toBeNull();
  });
});

describe('what a bot does to a message by a route of the backend', () => {
  it.each([
    ['an edit', { kind: 'edit', value: ' Come at 6\n' }, (id: string) => anEdit(id, 'Come at 6')],
    ['a deletion', { kind: 'revoke', value: null }, (id: string) => aRevoke(id)],
    ['a reaction', { kind: 'reaction', value: '👍' }, (id: string) => aReaction(id, '👍')],
    ['the end of a reaction', { kind: 'reaction', value: '' }, (id: string) => aReaction(id, '')],
  ] as const)('does not count as a person’s by its echo: %s', async (_what, asked, echo) => {
    const scene = await aScene();
    if (asked.value === '') {
      await end(await scene.note({ kind: 'reaction', value: '🙏', isByPerson: false }), 'done');
      await scene.shows(aReaction(scene.networkId, '🙏'));
    }
    await end(await scene.note({ ...asked, isByPerson: false }), 'done');
    await scene.shows(echo(scene.networkId));
    expect(await scene.isTaken()).toBe(false);
  });

  it.each([
    ['deletes it', { kind: 'reaction', value: '👍' }, (id: string) => aRevoke(id)],
    ['edits it', { kind: 'reaction', value: '👍' }, (id: string) => anEdit(id, 'Come at 7')],
    ['edits it into other words', { kind: 'edit' }, (id: string) => anEdit(id, 'Come at 7')],
    ['reacts to it', { kind: 'edit' }, (id: string) => aReaction(id, '👍')],
    ['reacts otherwise', { kind: 'reaction', value: '👍' }, (id: string) => aReaction(id, '🙏')],
  ] as const)('does not hide a person on the phone who %s', async (_what, asked, act) => {
    const scene = await aScene();
    await end(await scene.note({ ...asked, isByPerson: false }), 'done');
    await scene.shows(act(scene.networkId));
    expect(await scene.isTaken()).toBe(true);
  });

  it('does not hide the same act of a person long after', async () => {
    const scene = await aScene();
    const asked = { kind: 'reaction', value: '👍', isByPerson: false } as const;
    await end(await scene.note(asked), 'done');
    await changeRows(
      database,
      'messageAction',
      { createdAt: earlier({ minutes: 16 }) },
      { messageId: scene.messageId },
    );
    await scene.shows(aReaction(scene.networkId, '👍'));
    expect(await scene.isTaken()).toBe(true);
  });

  it('is noted of what a member of a group wrote, which an admin may delete', async () => {
    const scene = await aScene({ isGroup: true });
    await changeRows(database, 'message', { direction: 'in', status: 'received' }, { id: scene.messageId });
    await end(await scene.note({ kind: 'revoke', value: null, isByPerson: false }), 'done');
    await scene.shows(aRevoke(scene.networkId));
    expect(await scene.isTaken()).toBe(false);
    expect(await scene.note({ kind: 'edit', isByPerson: false })).toBeNull();
  });

  it('is not noted of what the contact wrote, which nobody else deletes', async () => {
    const scene = await aScene();
    await changeRows(database, 'message', { direction: 'in', status: 'received' }, { id: scene.messageId });
    expect(await scene.note({ kind: 'revoke', value: null, isByPerson: false })).toBeNull();
  });

  it('is noted of the own message, which its echo is for, where the contact has sent one of the same id', async () => {
    const scene = await aScene();
    const own = await findRow(database, 'message', { id: scene.messageId }, ['conversationId', 'networkId']);
    const received = { direction: 'in', origin: 'network', kind: 'text', occurredAt: databaseNow, status: 'received' };
    await addRow(database, 'message', { id: `${scene.messageId}_in`, ...scope, ...own, ...received });
    await end(await scene.note({ isByPerson: false }), 'done');
    expect(await scene.notes()).toEqual([{ kind: 'edit', value: 'Come at 6', status: 'done' }]);
  });
});
