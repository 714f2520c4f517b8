import type { BackendAnswer } from './sends.ts';

/** A message that the network has taken, as far as the backend's answer tells of it. */
export interface TakenMessage {
  messageId: string;
  networkId: string;
  chatId: string;
  /** The account's own address, once it is known. */
  ownId: string | null;
  platform: string | null;
  body: string;
  hasMedia: boolean;
  sentAt: Date;
}

/** Makes the answer that the engine behind the session gives to a send; each of the three has a shape of its own. */
export function takenAnswer(message: TakenMessage): BackendAnswer {
  return { status: 201, body: shapeOf(message), headers: headersOf(message.messageId) };
}

function shapeOf(message: TakenMessage): object {
  const { networkId, chatId, ownId, platform, body, hasMedia, sentAt } = message;
  const timestamp = Math.floor(sentAt.getTime() / 1_000);
  const id = `true_${chatId}_${networkId}`;
  const jid = chatId.replace(/@c\.us$/, '@s.whatsapp.net');
  switch (platform?.toUpperCase()) {
    case 'NOWEB':
      return {
        key: { remoteJid: jid, fromMe: true, id: networkId },
        message: { extendedTextMessage: { text: body } },
        messageTimestamp: String(timestamp),
        status: 'PENDING',
      };
    case 'GOWS':
      return { id, _data: { Info: { ID: networkId, Chat: jid, IsFromMe: true }, Message: { conversation: body } } };
    default:
      return {
        id: platform?.toUpperCase() === 'WEBJS' ? { fromMe: true, remote: chatId, id: networkId, _serialized: id } : id,
        timestamp,
        from: ownId,
        fromMe: true,
        source: 'api',
        to: chatId,
        body,
        hasMedia,
        ack: 0,
        ackName: 'PENDING',
      };
  }
}

/** Makes an error in the form of the backend's own, with the message's id, by which its passport is found. */
export function failedAnswer(status: 422 | 504, message: string, messageId: string): BackendAnswer {
  const error = status === 422 ? 'Unprocessable Entity' : 'Gateway Timeout';
  return { status, body: { statusCode: status, error, message, messageId }, headers: headersOf(messageId) };
}

/** Makes the backend's own refusal of a send whose session does not work. */
export function notWorkingAnswer({ name, status }: { name: string; status: string }): BackendAnswer {
  const error = 'Session status is not as expected. Try again later or restart the session';
  return { status: 422, body: { error, session: name, status, expected: ['WORKING'] }, headers: {} };
}

function headersOf(messageId: string): Record<string, string> {
  return { location: `/api/v1/inbox/messages/${messageId}/status` };
}
