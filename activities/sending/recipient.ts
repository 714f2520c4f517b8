import { findBeforeSend } from '../../db/sending/before-send.ts';
import type { BeforeSend } from '../../db/sending/before-send.ts';
import { adoptChatId, recordOnNetwork } from '../../db/conversations/recipient.ts';
import { canonicalChatId, chatKind, phoneOfChatId } from '../../domain/network/chat-id.ts';
import { WORKING } from '../../domain/session.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { inTime } from '../in-time.ts';

const CHECK_WITHIN_MS = 2_000;

/**
 * Asks the network about a number that nobody has written to yet: whether it is there, and under which chat id. Safe to
 * repeat: the answer is kept with the contact. A network that cannot be asked holds up nothing, nor does
 * an answer that cannot be kept: it is asked for again before the next message.
 */
export async function checkRecipient(
  { database, backend }: Pick<ActivityDependencies, 'database' | 'backend'>,
  before: BeforeSend,
): Promise<BeforeSend> {
  const { conversationId, sessionName: session } = before;
  const phone = phoneOfChatId(before.chatId);
  if (before.recipient !== 'unchecked' || before.sessionStatus !== WORKING || !phone) return before;
  let answer: { exists: boolean; chatId: string | null };
  try {
    answer = await inTime(backend.checkExists({ session, phone }), CHECK_WITHIN_MS);
  } catch {
    return before;
  }
  const theirs = answer.exists && answer.chatId ? canonicalChatId(answer.chatId) : before.chatId;
  // A hidden id is another address of the same person and not a better one: the phone reaches them as well.
  if (theirs === before.chatId || chatKind(theirs) !== 'phone') {
    await tolerate(database.statement((tx) => recordOnNetwork(tx, conversationId, answer.exists)));
    return { ...before, recipient: answer.exists ? null : 'not_on_network' };
  }
  await tolerate(
    database.transaction(async (tx) => {
      await recordOnNetwork(tx, await adoptChatId(tx, conversationId, theirs), answer.exists);
    }),
  );
  return (await database.read((queries) => findBeforeSend(queries, before.messageId))) ?? before;
}

async function tolerate(record: Promise<unknown>): Promise<void> {
  try {
    await record;
  } catch {
    // The claim, which needs the database just as much, tells whether the message can go.
  }
}
