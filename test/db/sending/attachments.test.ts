import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { claimMessage } from '../../../db/sending/claim.ts';
import { lockConversation } from '../../../db/conversations/conversation.ts';
import type { Database } from '../../../db/engine/database.ts';
import { endMessage } from '../../../db/sending/outcome.ts';
import { resolveMessage } from '../../../db/sending/resolve.ts';
import { deleteRows, findRows } from '../../support/rows.ts';
import { aPacedSession } from './a-paced-session.ts';
import type { PacedSession } from './a-paced-session.ts';
import { aDatabase } from '../a-database.ts';

let database: Database;
let session: PacedSession;

beforeAll(async () => {
  database = await aDatabase();
  session = await aPacedSession(database, {});
});
afterAll(() => database.close());

it('the attachment of a text that turns out to have failed ends, its workflow is told, and the next one goes', async () => {
  const { messageId, messages, conversationId } = await session.send(1, '', {
    parts: [
      { kind: 'text', body: 'text' },
      { kind: 'image', body: 'image', content: { attachment: { url: 'https://files.test/a.png' } } },
    ],
  });
  await session.send(1, 'next');
  const token = randomUUID();
  await session.at((tx) => claimMessage(tx, messageId, { token, owner: '1', chosenNetworkId: null }));
  await session.at(async (tx) => {
    await lockConversation(tx, conversationId);
    await endMessage(tx, messageId, { status: 'uncertain', reason: 'outcome_unknown', detail: null, token });
  });
  expect(await session.released()).toContain('image');
  await deleteRows(database, 'dispatch');
  await session.at((tx) =>
    resolveMessage(tx, messageId, { outcome: 'failed', actor: 'somebody', reason: 'not there' }, { byWorkflow: true }),
  );
  expect(
    await findRows(database, 'message', {}, { body: 'body', status: 'status', error: 'errorCode' }, 'chatSeq'),
  ).toEqual([
    { body: 'text', status: 'failed', error: 'resolved_by_operator' },
    { body: 'image', status: 'cancelled', error: 'text_failed' },
    { body: 'next', status: 'queued', error: null },
  ]);
  expect(await session.released()).toContain('next');
  expect(
    await findRows(database, 'dispatch', { workflowId: `message/${messages[1]?.messageId ?? ''}` }, ['signal']),
  ).toEqual([{ signal: 'changed' }]);
});
