import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createCalls } from '../../../activities/sending/calls.ts';
import { stateOf } from '../../../activities/sending/send-result.ts';
import { createBackends } from '../../../adapters/backend/backends.ts';
import { returnClaim } from '../../../db/sending/claim.ts';
import { lockConversation } from '../../../db/conversations/conversation.ts';
import { listHistory } from '../../../db/conversations/message.ts';
import { recordBackend } from '../../../db/sessions/backend-state.ts';
import { promote } from '../../../db/sending/promote.ts';
import { resolveMessage } from '../../../db/sending/resolve.ts';
import { asNumberedText } from '../../../domain/sending/interactive.ts';
import { aSettleScene } from './a-settle-scene.ts';
import type { SettleScene } from './a-settle-scene.ts';
import { changeRows, databaseNow } from '../../support/rows.ts';

const BUTTONS = {
  buttons: [
    { type: 'reply' as const, text: 'yes' },
    { type: 'reply' as const, text: 'no' },
  ],
};
const DEAD_OWNER = '8';

describe('settleMessage: a send whose outcome is looked for', () => {
  let scene: SettleScene;

  beforeAll(async () => {
    scene = await aSettleScene();
  });
  afterAll(() => scene.database.close());

  it('is not what a person writes to somebody else in the same words', async () => {
    const { messageId } = await scene.aLostSend('ok');
    await scene.hear(scene.own(scene.aChatId(), 'PHONE1', 'ok'));
    await scene.look(messageId);
    expect(await scene.rowOf(messageId)).toMatchObject({ status: 'sending', networkId: null });
  });

  it('is not the send of the same words to somebody else', async () => {
    const lost = await scene.aLostSend('Promo!');
    const other = await scene.aClaimedSend('Promo!');
    await scene.hear(scene.own('777000000000009@lid', 'OTHER1', 'Promo!'));
    await scene.look(lost.messageId);
    expect(await scene.rowOf(lost.messageId)).toMatchObject({ status: 'sending' });
    const recorded = await scene.answer(other, 'OTHER1');
    expect(recorded).toMatchObject({ id: other.messageId, status: 'sent' });
  });

  it('is not any other message where its id is known', async () => {
    const { messageId, chatId } = await scene.aLostSend('by id', { chosen: 'CHOSEN1' });
    await scene.hear(scene.own(chatId, 'TYPED1', 'by id'));
    await scene.look(messageId);
    expect(await scene.rowOf(messageId)).toMatchObject({ status: 'sending' });
    await scene.hear(scene.own('777000000000002@lid', 'CHOSEN1', 'by id'));
    await scene.look(messageId);
    expect(await scene.rowOf(messageId)).toMatchObject({ status: 'sent', networkId: 'CHOSEN1' });
  });

  it('is found in its own chat, and under a hidden address that nobody else can have', async () => {
    const inChat = await scene.aLostSend('in its chat');
    scene.shown = [scene.own(inChat.chatId, 'CHAT1', 'in its chat')];
    await scene.look(inChat.messageId);
    expect(await scene.rowOf(inChat.messageId)).toMatchObject({ status: 'sent', networkId: 'CHAT1' });
    scene.shown = [];
    const hidden = await scene.aLostSend('hidden');
    await scene.hear(scene.own('777000000000003@lid', 'HIDDEN1', 'hidden'));
    await scene.look(hidden.messageId);
    expect(await scene.rowOf(hidden.messageId)).toMatchObject({ status: 'sent', networkId: 'HIDDEN1' });
  });

  it('gives way to the send that the backend says the message was', async () => {
    const wrong = await scene.aLostSend('taken');
    scene.shown = [scene.own(wrong.chatId, 'TAKEN1', 'taken')];
    await scene.look(wrong.messageId);
    scene.shown = [];
    const right = await scene.aClaimedSend('taken');
    expect(await scene.answer(right, 'TAKEN1')).toMatchObject({ id: right.messageId, status: 'sent' });
    expect(await scene.rowOf(wrong.messageId)).toMatchObject({ status: 'uncertain', networkId: null });
  });

  it('keeps its id against a backend that answers the same for two', async () => {
    const first = await scene.aClaimedSend('first');
    await scene.answer(first, 'SAME1');
    const second = await scene.aClaimedSend('second');
    expect(await scene.answer(second, 'SAME1')).toMatchObject({ status: 'sent' });
    expect(await scene.rowOf(first.messageId)).toMatchObject({ status: 'sent', networkId: 'SAME1' });
    expect(await scene.rowOf(second.messageId)).toMatchObject({ status: 'sent', networkId: null });
  });

  it('is remembered as the numbered text that its options went as', async () => {
    const { messageId, chatId } = await scene.aLostSend('Choose', { content: { buttons: BUTTONS } });
    scene.shown = [scene.own(chatId, 'NUMBERED1', asNumberedText('Choose', BUTTONS))];
    await scene.look(messageId);
    scene.shown = [];
    expect(await scene.rowOf(messageId)).toMatchObject({ status: 'sent', renderedAs: 'text' });
  });

  it('counts as lost only when its process stays away', async () => {
    const { messageId } = await scene.aClaimedSend('of a dead process', { owner: DEAD_OWNER });
    await scene.look(messageId);
    expect(await scene.rowOf(messageId)).toMatchObject({ lostCause: null });
    scene.database.clock.advance(10_000);
    await scene.look(messageId);
    expect(await scene.rowOf(messageId)).toMatchObject({ lostCause: 'broken_connection' });
  });

  it('is believed absent only once a file has had its whole time', async () => {
    const proof = await scene.aClaimedSend('shows that the store shows sends');
    await scene.answer(proof, 'PROOF1');
    const chat = proof.chatId;
    scene.shown = [scene.own(chat, 'PROOF1', 'shows that the store shows sends')];
    const file = await scene.aLostSend('', { kind: 'image' });
    scene.database.clock.advance(100_000);
    await scene.look(file.messageId);
    expect(await scene.rowOf(file.messageId)).toMatchObject({ status: 'sending' });
    scene.database.clock.advance(100_000);
    await scene.look(file.messageId);
    expect(await scene.rowOf(file.messageId)).toMatchObject({ status: 'queued' });
    scene.shown = [];
  });

  it('that an operator says was sent gets no id that it may not have gone under', async () => {
    const { messageId } = await scene.aLostSend('', { kind: 'image', chosen: 'NEVERUSED1' });
    await changeRows(scene.database, 'message', { status: 'uncertain', endedAt: databaseNow }, { id: messageId });
    const word = { outcome: 'sent', actor: 'somebody', reason: 'it is in the chat' } as const;
    await scene.database.transaction((tx) => resolveMessage(tx, messageId, word, { byWorkflow: true }));
    expect(await scene.rowOf(messageId)).toMatchObject({ status: 'sent', networkId: null });
    const history = await scene.database.read((queries) => listHistory(queries, messageId));
    expect(history.at(-1)).toMatchObject({ status: 'sent', reason: 'resolved_by_operator' });
  });

  it('is not lost while one of two attempts of this process still has the call', async () => {
    const backends = createBackends([]);
    const calls = createCalls({ database: scene.database, backends });
    const first = Promise.withResolvers<void>();
    const kept = calls.keep('msg', first.promise);
    await calls.keep('msg', Promise.resolve());
    expect(calls.has('msg')).toBe(true);
    first.resolve();
    await kept;
    expect(calls.has('msg')).toBe(false);
  });

  it('has a workflow that waits, when it was given back: for its time, or for the signal that it may go', async () => {
    const { messageId, conversationId, token } = await scene.aClaimedSend('given back');
    await scene.database.transaction((tx) =>
      returnClaim(tx, { messageId, conversationId, sessionId: scene.session.id }, token, 'session_not_ready'),
    );
    const put = (status: string) =>
      changeRows(scene.database, 'message', { status, releasedAt: null }, { id: messageId });
    await put('scheduled');
    expect(await stateOf(scene.database, messageId)).toMatchObject({ state: 'waiting', reason: 'scheduled' });
    await put('queued');
    await scene.database.transaction((tx) =>
      recordBackend(tx, scene.session.backend, { trouble: 'backend_unavailable' }),
    );
    const held = { state: 'waiting', reason: 'held: backend_unavailable', attempts: 1 };
    expect(await stateOf(scene.database, messageId)).toEqual(held);
    await scene.database.transaction(async (tx) => {
      await lockConversation(tx, conversationId);
      await promote(tx, conversationId);
    });
    const { rows } = await scene.database.read((queries) =>
      sql<{
        action: string;
      }>`select action from dispatch where args = ${JSON.stringify([messageId])}::jsonb order by id`.execute(
        queries.sql,
      ),
    );
    expect(rows.map(({ action }) => action)).toEqual(['start', 'signal_with_start']);
  });
});
