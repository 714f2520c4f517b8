import type { z } from 'zod';
import type { EventPayload } from './event.ts';
import { ConversationEventPayload, DeletedMessagePayload, MirroredMessagePayload } from './mirror-events.ts';
import type { MirroredMessagePayload as MirroredMessage } from './mirror-events.ts';

const IDS = {
  message: 'msg_019a8f3e-9d20-7c01-8a2b-3c5d7e9f1a24',
  conversation: 'cnv_019a8f3d-1b20-7d63-8c2e-5a7b9c1d3e4f',
  contact: 'con_019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50',
  session: 'ses_019a8f30-aa00-7f85-8e40-7c9d1e3f5061',
};
const chatId = '4915112345678@c.us';
const timestamp = Date.parse('2026-03-02T09:30:00.000Z') / 1_000;
const body = 'Yes, it is. Shall I keep it for you?';

const message: MirroredMessage = {
  fromMe: true,
  to: '4915112345678',
  from: '15550100010',
  body,
  timestamp,
  ack: 0,
  ackName: 'PENDING',
  hasMedia: false,
  messageId: IDS.message,
  kind: 'text',
  status: 'queued',
  origin: 'person',
  media: null,
  mediaUrl: null,
  replyTo: null,
  mentions: [],
  buttons: null,
  list: null,
  selected: null,
  renderedAs: null,
  sessionId: IDS.session,
  conversationId: IDS.conversation,
  contactId: IDS.contact,
  chatId,
  revision: 4711,
};

/** The events by which a dashboard keeps a copy of the inbox, with their examples. */
export const MIRROR_ENTRIES = {
  'message.any': {
    title: 'A message was added to a conversation',
    when:
      'A message appeared in a conversation, from any author. Subscribe to it explicitly.\n\nAuthors are a ' +
      'contact, the API, a person, the agent, the phone or a client of the backend. A send is reported ' +
      'once it is accepted, a scheduled one once it is due, one from the phone once it is certainly no ' +
      'send.',
    payload: MirroredMessagePayload,
    example: { event: 'message.any', payload: message },
  },
  'message.updated': {
    title: 'A message changed',
    when:
      'A listed field of a message changed, such as its status, text or file. Subscribe to it explicitly.\n\n' +
      'The event has the whole message. Quick changes are reported together.',
    payload: MirroredMessagePayload,
    example: {
      event: 'message.updated',
      payload: { ...message, ack: 2, ackName: 'DEVICE', status: 'delivered', revision: 4715 },
    },
  },
  'message.deleted': {
    title: 'A message was deleted',
    when:
      'The engine no longer keeps a message, after an erasure or because it was a duplicate of a send. ' +
      'Subscribe to it explicitly.\n\nA message that its sender deletes on the network stays, and is ' +
      'reported as changed.',
    payload: DeletedMessagePayload,
    example: {
      event: 'message.deleted',
      payload: {
        sessionId: IDS.session,
        conversationId: IDS.conversation,
        messageId: IDS.message,
        revision: 4720,
        timestamp,
      },
    },
  },
  'conversation.updated': {
    title: 'A conversation changed',
    when:
      'A listed field of a conversation changed, such as its last message or unread count. Subscribe to it ' +
      'explicitly.\n\nIts assignment, labels and name count, too. The event has the whole conversation. ' +
      'Quick changes are reported together.',
    payload: ConversationEventPayload,
    example: {
      event: 'conversation.updated',
      payload: {
        name: 'Alex Meyer',
        picture: null,
        lastMessage: { body, timestamp, fromMe: true, messageId: IDS.message, origin: 'person' },
        unreadCount: 0,
        conversationId: IDS.conversation,
        chatId,
        contactId: IDS.contact,
        sessionId: IDS.session,
        mode: 'human_takeover',
        assignedTo: 'ann',
        updatedAt: '2026-03-02T09:30:00.000Z',
        labels: [{ id: '1', name: 'Lead', color: 1, colorHex: '#64c4ff' }],
        epoch: 3,
        reason: null,
        returnsAt: '2026-03-02T10:30:00.000Z',
        mergedInto: null,
        revision: 4712,
        timestamp,
      },
    },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: EventPayload }>;
