import { findMessageById, findMessageIdByNetworkId } from '../../../db/conversations/message.ts';
import type { Message } from '../../../db/conversations/message.ts';
import type { Database } from '../../../db/engine/database.ts';
import { takeOverByPerson } from '../../../db/agent/handover.ts';
import { markRead } from '../../../db/conversations/read-marks.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import type { SendAcceptance } from '../../../db/sending/accept.ts';
import { findForwardable, forwardOf } from '../../../db/sending/repeat/forward.ts';
import { isChatId } from '../../../domain/network/chat-id.ts';
import { MediaKind } from '../../../domain/sending/content.ts';
import { isStorable } from '../../../domain/sending/storable.ts';
import { reasonText } from '../../../domain/sending/reasons.ts';
import { EXPIRES_AFTER_MS, hasEnded, wasSent } from '../../../domain/sending/message-state.ts';
import { MessageStatus } from '../../../domain/sending/message.ts';
import { WORKING } from '../../../domain/sessions/session.ts';
import { bareIdOf } from '../../../adapters/backend/events/message-id.ts';
import type { Watch } from '../../wire/watch.ts';
import { conversationChat } from './chat.ts';
import { failedAnswer, notWorkingAnswer, takenAnswer } from './answer.ts';
import { queueSendOf } from './parts.ts';
import type { QueueForward, QueueSend } from './parts.ts';
import type { AskedSend, BackendAnswer } from './sends.ts';
import { storeFile } from '../../sending/stored-file.ts';
import type { FileStoring } from '../../sending/put-file.ts';
import type { Shedding } from '../../sending/shedding.ts';
import { invalid } from '../../../domain/error.ts';

export interface QueueMeans {
  database: Database;
  messageWatch: Watch;
  files: FileStoring;
  shedding: Shedding;
  /** The response waits this long for the network. Then it is 504, and the message continues. */
  waitMs: number;
}

/**
 * Sends through the engine's queue what a client of the backend asks for, and answers as the backend does, once the
 * network has the message or never will. Undefined when the queue cannot do all that is asked.
 */
export async function throughQueue(asked: AskedSend, means: QueueMeans): Promise<BackendAnswer | undefined> {
  const { session, scope } = asked;
  requireComplete(asked.path, asked.fields);
  const parsed = queueSendOf(asked.path, asked.fields);
  const send = parsed && 'forwards' in parsed ? await repeated(parsed, asked, means.database) : parsed;
  // The backend judges words that no row can hold.
  if (!send || !isStorable(send.part)) return undefined;
  const chatId = conversationChat(send.chatId);
  const replyTo = send.quotes === null ? undefined : await quotedBy(send.quotes, asked, means.database);
  if (chatId === null || replyTo === null || !everyChatId(send)) return undefined;
  // The backend refuses such a send, so its client expects that nothing is sent later.
  if (session.status !== WORKING) return notWorkingAnswer(session);
  const part = await withStoredFile(send, asked, means);
  const own = { ...scope, sessionId: session.id };
  const isPerson = asked.actor === 'person';
  const accepted = await means.database.transaction(async (tx) => {
    const origin = isPerson ? 'person' : 'api';
    await means.shedding.admit(own.agencyId, { origin }, tx);
    const outcome = await acceptSend(tx, own, {
      recipient: { chatId },
      parts: [part],
      origin,
      via: 'passthrough',
      replyTo,
      expires: { afterMs: EXPIRES_AFTER_MS.default },
    });
    if (outcome.outcome === 'accepted' && isPerson) {
      await takeOverByPerson(tx, own, outcome.conversationId, { cause: 'reply', keyId: asked.keyId });
      await markRead(tx, outcome.conversationId, 'all');
    }
    return outcome;
  });
  return accepted.outcome === 'accepted' ? answerOf(accepted, asked, means) : undefined;
}

async function answerOf(
  { messageId, chatId }: SendAcceptance,
  { session, scope, signal }: AskedSend,
  { database, messageWatch, waitMs }: QueueMeans,
): Promise<BackendAnswer> {
  const look = async (): Promise<Message | undefined> => {
    const message = await database.read((queries) => findMessageById(queries, messageId));
    return message && hasEnded(MessageStatus.parse(message.status)) ? message : undefined;
  };
  const waited = await messageWatch.until([messageId], look, { waitMs, signal, group: scope.agencyId });
  if (waited.outcome !== 'found') {
    return failedAnswer(
      504,
      'The message is accepted and has not been sent yet; its status shows the outcome.',
      messageId,
    );
  }
  const message = waited.value;
  const { networkId, status, errorCode, errorDetail } = message;
  if (typeof networkId === 'string' && wasSent(MessageStatus.parse(status))) {
    return takenAnswer({
      messageId,
      networkId,
      chatId,
      ownId: session.chatId,
      platform: session.platform,
      body: message.body,
      content: message.content ?? null,
      hasMedia: message.media !== null && message.media !== undefined,
      sentAt: message.sentAt ?? message.updatedAt,
    });
  }
  const words = reasonText(errorCode ?? '', errorDetail ?? null) ?? 'The message was not sent.';
  return failedAnswer(status === 'uncertain' ? 504 : 422, words, messageId);
}

function everyChatId({ part }: QueueSend): boolean {
  return (part.content?.mentions ?? []).every(isChatId);
}

/** Null where the quoted message is not known, so that only the backend can quote it. */
async function quotedBy(quotes: string, { scope, session }: AskedSend, database: Database): Promise<string | null> {
  const networkId = bareIdOf(quotes);
  if (networkId === null) return null;
  const own = { ...scope, sessionId: session.id };
  return database.read((queries) => findMessageIdByNetworkId(queries, own, networkId));
}

/** Undefined where the message is not known, so that only the backend can forward it. */
async function repeated(
  { forwards, chatId }: QueueForward,
  { scope, session }: AskedSend,
  database: Database,
): Promise<QueueSend | undefined> {
  const networkId = bareIdOf(forwards);
  if (networkId === null) return undefined;
  const own = { ...scope, sessionId: session.id };
  const found = await database.read(async (queries) => {
    const messageId = await findMessageIdByNetworkId(queries, own, networkId);
    return messageId === null ? undefined : findForwardable(queries, own, messageId);
  });
  return found && !found.isRevoked ? { part: forwardOf(found), chatId, quotes: null, data: null } : undefined;
}

async function withStoredFile({ part, data }: QueueSend, { scope }: AskedSend, { database, files }: QueueMeans) {
  const kind = MediaKind.safeParse(part.kind);
  if (data === null || !kind.success) return part;
  const { attachment, ...content } = part.content ?? {};
  const { mimeType, fileName } = attachment ?? {};
  const file = { scope, kind: kind.data, data, mimeType, fileName, pointer: '/file/data' };
  const media = await storeFile(file, { database, fileStoring: files });
  return { ...part, content, media };
}

/** The fields that each route of the backend needs. The backend answers 500 if one is missing. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  '/api/sendText': ['chatId', 'text'],
  '/api/reply': ['chatId', 'text'],
  '/api/sendImage': ['chatId', 'file'],
  '/api/sendFile': ['chatId', 'file'],
  '/api/sendVoice': ['chatId', 'file'],
  '/api/sendVideo': ['chatId', 'file'],
  '/api/sendButtons': ['chatId', 'buttons'],
  '/api/sendList': ['chatId', 'message'],
  '/api/sendLocation': ['chatId', 'latitude', 'longitude'],
  '/api/sendContactVcard': ['chatId', 'contacts'],
  '/api/sendPoll': ['chatId', 'poll'],
  '/api/forwardMessage': ['chatId', 'messageId'],
};

/** Refuses a send that lacks what its route needs, instead of passing on a failure of the backend. */
function requireComplete(path: string, fields: Readonly<Record<string, unknown>>): void {
  const missing = (NEEDED[path] ?? []).filter((name) => (fields[name] ?? '') === '');
  if (missing.length > 0) throw invalid(missing.map((name) => ({ pointer: `/${name}`, message: 'is required' })));
}
