import { z } from 'zod';
import { explained } from '../explained.ts';
import { NETWORK_KINDS } from '../network/network-event.ts';
import type { NetworkKind } from '../network/network-event.ts';

const NETWORK_KIND_TEXTS: Readonly<Record<NetworkKind, string>> = {
  text: 'Words.',
  image: 'A picture, with its caption as `body`.',
  video: 'A video, with its caption as `body`.',
  audio: 'A voice message or another audio file.',
  document: 'Any other file, with its caption as `body`.',
  sticker: 'A sticker; its picture is the file.',
  location: 'A place, or the position of someone who shares it while moving: `location`.',
  contact: 'Contact cards: `contacts`.',
  other: 'Content that the engine cannot show; `unsupported` names it.',
  poll: 'A poll, with the question as `body`: `poll`.',
  call: 'A call that reached the account: `call`. Nobody wrote it, and it counts as read.',
  notice: 'A line of the network in the chat, such as a new member of a group: `notice`. It counts as read.',
};
const KIND_INTRO = 'The kind of message.';
export const InboundKind = z.enum(NETWORK_KINDS).meta({ description: explained(KIND_INTRO, NETWORK_KIND_TEXTS) });

/** The kinds of messages that the network shows, and the two kinds that only we send. */
export const MESSAGE_KINDS = [...NETWORK_KINDS, 'buttons', 'list', 'forward'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];
export const MessageKind = z.enum(MESSAGE_KINDS).meta({
  description: explained(KIND_INTRO, {
    ...NETWORK_KIND_TEXTS,
    buttons: 'A text sent from the account with buttons: `buttons`.',
    list: 'A text sent from the account with a list to choose from: `list`.',
    forward: 'A message that the engine has forwarded, with its text and its file: `forwardOf`.',
  }),
});
