import type { Message } from '../../../packages/typescript/src/index.ts';

/** A text of a customer, as the engine lists it. */
export const aMessage = (change: Partial<Message> = {}): Message => ({
  fromMe: false,
  to: '1',
  body: 'Hello?',
  timestamp: 0,
  ack: 0,
  ackName: 'PENDING',
  hasMedia: false,
  messageId: 'msg_1',
  from: '2',
  kind: 'text',
  status: 'received',
  origin: 'network',
  media: null,
  mediaUrl: null,
  replyTo: null,
  mentions: [],
  buttons: null,
  list: null,
  selected: null,
  renderedAs: null,
  ...change,
});
