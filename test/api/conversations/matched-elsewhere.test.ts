import { describe, expect, it } from '@jest/globals';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { unmergeContact } from '../../../db/network/unmerge/unmerge.ts';
import { addMessage, deleteRows, findRow, findRows } from '../../support/rows.ts';
import { accountWithPhone } from './account-with-phone.ts';

const { database, scope, aChat, tell, aSend, chatOf, inbox, statusOf, named } =
  await accountWithPhone('matched-elsewhere');

describe('a shown message that was a send', () => {
  it('and that a process of the previous release has taken for a person’s, leads to the send by both ids', async () => {
    const { chatId, conversationId } = await aChat();
    const send = await aSend(conversationId, 'An offer', null);
    const networkId = await tell({ chatId, body: 'The offer as that process saw it' });
    const [shown] = await inbox(conversationId);
    const columns = ['direction', 'origin', 'kind', 'body', 'occurredAt', 'status'] as const;
    const former = await findRow(database, 'message', { id: shown?.messageId }, columns);
    await addMessage(database, conversationId, { ...former, id: `msg_former${networkId}`, networkId });
    await deleteRows(database, 'parkedOwnMessage', { networkId });
    expect(await statusOf(shown?.messageId ?? '')).toMatchObject({ body: { messageId: `msg_former${networkId}` } });
    await send.end(networkId);
    for (const id of [shown?.messageId ?? '', `msg_former${networkId}`])
      expect(await statusOf(id)).toMatchObject({ status: 200, body: { messageId: send.messageId } });
  });

  it.each(['the contact that went', 'the contact that stayed'])(
    'is the line of its chat again when a merge is undone: %s',
    async (whose) => {
      const { chatId } = await aChat();
      const hidden = `${88_300_000 + named()}@lid`;
      await tell({ chatId: hidden, body: 'Me, too', fromMe: false, networkId: `HIDDEN${named()}` });
      const own = whose === 'the contact that went' ? hidden : chatId;
      const other = own === hidden ? chatId : hidden;
      const send = await aSend((await chatOf(own)).conversationId, 'An offer', null);
      const networkId = await tell({ chatId: own, body: 'The offer in other words' });
      expect(await chatOf(own)).toMatchObject({ lastMessage: { body: 'The offer in other words' } });
      // In the merged chat another message is the last, so the former line is read from what was noted of the merge.
      const timestamp = Math.floor(Date.now() / 1_000) + 5;
      await tell({ chatId: other, body: 'Something newer', fromMe: false, networkId: `NEWER${named()}`, timestamp });
      const [contact] = await findRows(database, 'contactAlias', { chatId: hidden }, { id: 'contactId' });
      await database.transaction((tx) => ensureConversation(tx, scope, { chatId, aliases: [hidden] }));
      await send.end(networkId);
      const undone = await database.transaction((tx) => unmergeContact(tx, 'matched', contact?.id ?? ''));
      expect(undone).toMatchObject({ outcome: 'parted' });
      expect(await chatOf(own)).toMatchObject({ lastMessage: { body: 'An offer', fromMe: true } });
      const lines = await findRows(database, 'conversation', { chatId: own }, { id: 'lastMessageId' });
      expect(lines).toEqual([{ id: send.messageId }]);
    },
  );
});
