import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { claimMessage } from '../../../db/sending/claim.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { addRow, databaseNow, deleteRows, json } from '../../support/rows.ts';
import { aConversationWithAiMessages } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';

const { database, session } = await databaseOfThisFile();

describe('a parked own message that differs from its schema', () => {
  beforeEach(() => deleteRows(database, 'parkedOwnMessage'));

  const claim = (messageId: string) =>
    database.transaction((tx) =>
      claimMessage(tx, messageId, { token: randomUUID(), owner: database.wakeups.owner, chosenNetworkId: null }),
    );

  async function park(conversationId: string, odd: object): Promise<void> {
    const networkId = `PHONE${randomUUID()}`;
    const timestamp = Math.floor(Date.now() / 1_000);
    const message = { ...aNetworkMessage({ networkId, chatId: '7600001@lid', fromMe: true, timestamp }), ...odd };
    await addRow(database, 'parkedOwnMessage', {
      sessionId: session.id,
      networkId,
      conversationId,
      message: json(message),
      parkedAt: databaseNow,
    });
  }

  it.each([
    ['whose time is no number', { timestamp: 'yesterday' }],
    ['that has no words', { body: null }],
  ])('holds the agent back in its own conversation alone: one %s', async (_what, odd) => {
    const { conversationId, messageIds } = await aConversationWithAiMessages(database, session.id);
    const other = await aConversationWithAiMessages(database, session.id);
    await park(conversationId, odd);
    expect(await claim(messageIds[0])).toMatchObject({ claim: 'soon' });
    expect(await claim(other.messageIds[0])).toMatchObject({ claim: 'claimed' });
  });
});
