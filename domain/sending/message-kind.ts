import { z } from 'zod';
import { explained } from '../explained.ts';
import { NETWORK_KINDS } from '../network/network-event.ts';
import type { NetworkKind } from '../network/network-event.ts';

const NETWORK_KIND_TEXTS: Readonly<Record<NetworkKind, string>> = {
  text: 'Words.',
  image: 'A picture, with its caption as `body`.',
  video: 'A video, with its caption as `body`.',
  audio: 'A voice message, or another file to be heard.',
  document: 'Any other file, with its caption as `body`.',
  sticker: 'A sticker; its picture is the file.',
  location: 'A place, or where somebody is who shares that while moving: `location`.',
  contact: 'Contact cards: `contacts`.',
  other: 'What the engine cannot show; `unsupported` names it.',
  poll: 'A poll, with the question as `body`: `poll`.',
  call: 'A call that has reached the account: `call`. Nobody wrote it, and it counts as read.',
  notice: 'What the network has put into the chat, such as who came into a group: `notice`. It counts as read.',
};
const KIND_INTRO = 'What sort of message it is.';
export const InboundKind = z.enum(NETWORK_KINDS).meta({ description: explained(KIND_INTRO, NETWORK_KIND_TEXTS) });

/** The kinds of messages that the network shows, and the two kinds that only we send. */
export const MESSAGE_KINDS = [...NETWORK_KINDS, 'buttons', 'list', 'forward'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];
export const MessageKind = z.enum(MESSAGE_KINDS).meta({
  description: explained(KIND_INTRO, {
    ...NETWORK_KIND_TEXTS,
    buttons: 'A text of ours with buttons: `buttons`.',
    list: 'A text of ours with a list to choose from: `list`.',
    forward: 'A message that we have repeated, with its words and its file: `forwardOf`.',
  }),
});
