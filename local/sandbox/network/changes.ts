import { isGroup, toChatId, toJid } from '../chat-id.ts';
import { newPhoneMessageId } from '../ids.ts';
import { nowebKey } from '../shapes/engine-data.ts';
import { fullId } from '../shapes/full-id.ts';
import { waMessage } from '../shapes/wa-message.ts';
import type { Session, StoredMessage } from '../state/session.ts';
import { accountOf, engineOf } from './core.ts';
import type { Core } from './core.ts';
import { emitWhileWorking, viewOf } from './emit.ts';

/** Edits a message as its sender; the edit has an id of its own, except on WEBJS. */
export function edit(core: Core, session: Session, message: StoredMessage, text: string): StoredMessage {
  core.world.record({
    kind: 'message.changed',
    session: session.name,
    id: message.id,
    body: text,
    at: core.clock.now(),
  });
  const change = { type: 'MESSAGE_EDIT', editedMessage: { conversation: text } };
  const action = told(
    core,
    session,
    message,
    (protocolMessage) => ({ editedMessage: { message: protocolMessage } }),
    change,
  );
  const payload = { ...action, body: text, editedMessageId: message.id };
  emitWhileWorking(core, session, 'message.edited', payload);
  return message;
}

/** Deletes a message for everyone, as its sender. */
export function revoke(core: Core, session: Session, message: StoredMessage): StoredMessage {
  const after = {
    ...told(core, session, message, (protocolMessage) => protocolMessage, { type: 'REVOKE' }),
    body: null,
  };
  core.world.record({ kind: 'message.changed', session: session.name, id: message.id, body: '', revoked: true });
  const payload = { after, before: null, revokedMessageId: message.id, _data: after._data };
  emitWhileWorking(core, session, 'message.revoked', payload);
  return message;
}

export interface Reaction {
  from: string;
  /** The emoji; an empty text takes the reaction away. */
  text: string;
  fromMe: boolean;
}

/** Puts an emoji on a message. */
export function react(core: Core, session: Session, message: StoredMessage, reaction: Reaction): object {
  const { from, text, fromMe } = reaction;
  const account = accountOf(session);
  core.world.record({
    kind: 'message.reacted',
    session: session.name,
    id: message.id,
    from,
    text,
    at: core.clock.now(),
  });
  const payload = {
    id: `${fromMe}_${message.chatId}_${newPhoneMessageId()}`,
    timestamp: core.clock.nowS(),
    from: message.chatId,
    participant: isGroup(message.chatId) ? toChatId(from) : undefined,
    fromMe,
    source: fromMe ? 'api' : 'app',
    reaction: { text, messageId: fullId(message, account, engineOf(core, session)) },
  };
  emitWhileWorking(core, session, 'message.reaction', payload);
  return payload;
}

export interface Vote {
  from: string;
  options: readonly string[];
  /** The backend cannot read the vote. */
  failed: boolean;
}

/** Chooses in a poll; what is chosen takes the place of what was chosen before. */
export function vote(core: Core, session: Session, message: StoredMessage, { from, options, failed }: Vote): object {
  const account = accountOf(session);
  const { chatId, fromMe } = message;
  const participant = isGroup(chatId) ? toChatId(from) : undefined;
  const own = { id: `false_${chatId}_${newPhoneMessageId()}${participant ? `_${participant}` : ''}`, from: chatId };
  const payload = {
    vote: {
      ...own,
      to: account.id,
      participant,
      fromMe: false,
      selectedOptions: failed ? [] : options,
      timestamp: core.clock.nowS(),
    },
    poll: { id: fullId(message, account, engineOf(core, session)), to: chatId, from: account.id, fromMe },
  };
  emitWhileWorking(core, session, failed ? 'poll.vote.failed' : 'poll.vote', payload);
  return payload;
}

export interface Call {
  from: string;
  id: string;
  status: 'received' | 'accepted' | 'rejected';
  isVideo: boolean;
  /** The group that is called. */
  group?: string | undefined;
}

const CALL_STATUSES = { received: 'offer', accepted: 'accept', rejected: 'reject' } as const;

/** Calls the account, or takes a call further. */
export function call(core: Core, session: Session, { from, id, status, isVideo, group }: Call): object {
  const caller = toChatId(from);
  const isCallOfGroup = group !== undefined;
  const payload = {
    id,
    from: caller,
    timestamp: core.clock.nowS(),
    isVideo,
    isGroup: isCallOfGroup,
    _data: { id, from: toJid(caller), chatId: toJid(group ?? caller), status: CALL_STATUSES[status], offline: false },
  };
  emitWhileWorking(core, session, `call.${status}`, payload);
  return payload;
}

/** Makes the message that carries a change; on NOWEB its `_data` holds what the network sent. */
function told(
  core: Core,
  session: Session,
  message: StoredMessage,
  wrapped: (protocolMessage: object) => object,
  change: object,
) {
  const payload = waMessage(actionOn(core, session, message), viewOf(core, session));
  if (engineOf(core, session) !== 'NOWEB') return payload;
  const protocolMessage = { key: nowebKey(message, accountOf(session)), ...change };
  return { ...payload, _data: { ...payload._data, message: wrapped({ protocolMessage }) } };
}

function actionOn(core: Core, session: Session, message: StoredMessage): StoredMessage {
  const id = engineOf(core, session) === 'WEBJS' ? message.id : newPhoneMessageId();
  return { ...message, id, timestamp: core.clock.nowS() };
}
