import type { MessageContent } from '../../../domain/sending/content.ts';
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
  content: MessageContent | null;
  hasMedia: boolean;
  sentAt: Date;
}

/** Makes the answer that the engine behind the session gives to a send; each of the three has a shape of its own. */
export function takenAnswer(message: TakenMessage): BackendAnswer {
  return { status: 201, body: shapeOf(message), headers: headersOf(message.messageId) };
}

function shapeOf(message: TakenMessage): object {
  const { networkId, chatId, ownId, platform, body, content, hasMedia, sentAt } = message;
  const timestamp = Math.floor(sentAt.getTime() / 1_000);
  const id = `true_${chatId}_${networkId}`;
  const jid = chatId.replace(/@c\.us$/, '@s.whatsapp.net');
  const said = networkContent(content);
  switch (shapeFor(platform, content)) {
    case 'NOWEB':
      return {
        key: { remoteJid: jid, fromMe: true, id: networkId },
        message: said ?? { extendedTextMessage: { text: body } },
        messageTimestamp: String(timestamp),
        status: 'PENDING',
      };
    case 'GOWS':
      return {
        id,
        _data: { Info: { ID: networkId, Chat: jid, IsFromMe: true }, Message: said ?? { conversation: body } },
      };
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

/** NOWEB answers a poll and a forward with a message, as the backend's document says of every send. */
function shapeFor(platform: string | null, content: MessageContent | null): string | undefined {
  const engine = platform?.toUpperCase();
  return engine === 'NOWEB' && (content?.poll ?? content?.forward) ? undefined : engine;
}

/** Says a location or contacts as the network does. */
function networkContent(content: MessageContent | null): object | null {
  if (content?.location) {
    const { latitude, longitude, name } = content.location;
    return { locationMessage: { degreesLatitude: latitude, degreesLongitude: longitude, name: name ?? '' } };
  }
  if (content?.contacts) {
    const contacts = content.contacts.map(({ name, vcard }) => ({ displayName: name ?? '', vcard }));
    const [card] = contacts;
    return contacts.length === 1 && card ? { contactMessage: card } : { contactsArrayMessage: { contacts } };
  }
  return null;
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
