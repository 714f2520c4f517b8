import { isGroup, toJid } from '../chat-id.ts';
import { ackName } from '../state/message.ts';
import type { Message } from '../state/message.ts';
import { nowebKey } from './engine-data.ts';
import { fullId } from './full-id.ts';
import { waMessage } from './wa-message.ts';
import type { MessageView } from './wa-message.ts';

export interface AckEvent {
  event: 'message.ack' | 'message.ack.group';
  payload: object;
}

/** Makes the event of one ack, or null when the engine does not report that level. */
export function ackEvent(
  message: Message,
  { ack, reader }: { ack: number; reader?: string | undefined },
  view: MessageView,
  restrictedUntil: number,
): AckEvent | null {
  // GOWS makes acks only from receipts, and the server's ack has no receipt.
  if (view.engine === 'GOWS' && ack === 1) return null;
  if (isGroup(message.chatId) && ack > 1) return groupAck(message, ack, view, reader);
  if (view.engine === 'WEBJS') {
    return { event: 'message.ack', payload: { ...waMessage(message, view), ack, ackName: ackName(ack) } };
  }
  const payload = {
    id: ackId(message, view),
    from: chatTold(message, view),
    fromMe: true,
    ack,
    ackName: ackName(ack),
    error: ack === -1 && view.engine === 'NOWEB' ? restriction(restrictedUntil) : undefined,
  };
  return { event: 'message.ack', payload };
}

/**
 * Returns the chat that an ack names: the hidden id of a contact who has one, whatever address the message went to. So
 * receivers have to match acks by the bare id.
 */
function chatTold(message: Message, { account }: MessageView): string {
  const alias = account.aliases.get(message.chatId);
  return alias?.endsWith('@lid') ? alias : message.chatId;
}

const ackId = (message: Message, view: MessageView): string => `true_${chatTold(message, view)}_${message.id}`;

function groupAck(message: Message, ack: number, view: MessageView, by?: string): AckEvent {
  const { account, engine } = view;
  const reader = by ?? account.groups.get(message.chatId)?.[0] ?? account.id;
  const id =
    engine === 'NOWEB' ? `${fullId(message, account, engine)}_${account.id}` : fullId(message, account, engine);
  return {
    event: 'message.ack.group',
    payload: {
      id,
      from: message.chatId,
      // NOWEB names the reader only in the receipt.
      ...(engine === 'NOWEB' ? {} : { to: message.chatId, participant: reader }),
      fromMe: true,
      ack,
      ackName: ackName(ack),
      _data: { key: nowebKey(message, account), receipt: { userJid: toJid(reader), readTimestamp: message.timestamp } },
    },
  };
}

function restriction(untilMs: number) {
  return {
    code: '463',
    blocked: true,
    reason: 'account_restricted',
    until: new Date(untilMs).toISOString(),
    enforcementType: 'RESTRICT_ALL_COMPANIONS',
  };
}
