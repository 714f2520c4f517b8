import { isGroup } from '../chat-id.ts';
import type { Message } from '../state/message.ts';
import { engineData, nowebContent, nowebKey, webjsId } from './engine-data.ts';
import { waMessage } from './wa-message.ts';
import type { MessageView } from './wa-message.ts';

/**
 * Makes the 201 body of a send. Each of the three engines has its own shape, and none is the one in the OpenAPI
 * document.
 */
export function sendAnswer(message: Message, view: MessageView): object {
  const { account, engine } = view;
  if (engine === 'GOWS') {
    return { id: waMessage(message, view).id, _data: engineData(message, account, engine) };
  }
  if (engine === 'WEBJS') {
    return { ...waMessage(message, view), id: webjsId(message, account) };
  }
  // Here NOWEB answers as the document says.
  if (message.poll || message.forwarded) return waMessage(message, view);
  return {
    key: {
      ...nowebKey(message, account),
      ...(isGroup(message.chatId) ? { participant: account.id.replace('@c.us', '@s.whatsapp.net') } : {}),
    },
    message: nowebContent(message),
    // The time is a string here and a number in the events, as in the real backend.
    messageTimestamp: String(message.timestamp),
    status: 'PENDING',
  };
}
