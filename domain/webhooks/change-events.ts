import type { z } from 'zod';
import {
  CallEventPayload,
  EditedEventPayload,
  PollVoteEventPayload,
  ReactionEventPayload,
  RevokedEventPayload,
} from './change-payloads.ts';
import type { EventPayload } from './event.ts';
import { MIRROR_ENTRIES } from './mirror-entries.ts';
import { MediaEventPayload } from './event.ts';

const MEDIA_MESSAGE = 'msg_019a8f3e-7c11-7a52-9b1c-2f4d6e8a0b13';
const MEDIA_FILE = `https://engine.example.com/media/${MEDIA_MESSAGE}/3q2-7wA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8s`;

/** The event about a file that comes after the event of its message, with its example. */
const MEDIA_ENTRIES = {
  'message.media': {
    title: 'A file arrived late',
    when:
      'The file of a message arrived late, or will not arrive. Then `media.error` gives the reason.\n\nThe ' +
      '`message` event had said `media_pending`.',
    payload: MediaEventPayload,
    example: {
      event: 'message.media',
      payload: {
        messageId: MEDIA_MESSAGE,
        conversationId: 'cnv_019a8f3d-1b20-7d63-8c2e-5a7b9c1d3e4f',
        contactId: 'con_019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50',
        media: {
          url: MEDIA_FILE,
          mimeType: 'image/jpeg',
          fileName: null,
          sizeBytes: 48_213,
          sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        },
        mediaUrl: MEDIA_FILE,
        timestamp: Date.parse('2026-03-02T09:30:00.000Z') / 1_000,
      },
    },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: EventPayload }>;

const AT = '2026-03-02T09:31:00.000Z';
const MESSAGE = {
  messageId: 'msg_019a8f3e-7c11-7a52-9b1c-2f4d6e8a0b13',
  conversationId: 'cnv_019a8f3d-1b20-7d63-8c2e-5a7b9c1d3e4f',
  contactId: 'con_019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50',
  chatId: '4915112345678@c.us',
};
const CHANGED = { ...MESSAGE, fromMe: false, timestamp: Date.parse(AT) / 1_000 };
const CONTACT = { fromMe: false, from: '4915112345678' };

/** The events about what becomes of messages and their files, and about calls, with their examples. */
export const CHANGE_ENTRIES = {
  ...MEDIA_ENTRIES,
  ...MIRROR_ENTRIES,
  'message.edited': {
    title: 'A message was edited',
    when: 'Its author edited it. It is not a new message: the agent does not answer it again.',
    payload: EditedEventPayload,
    example: { event: 'message.edited', payload: { ...CHANGED, body: 'I need 50', editedAt: AT } },
  },
  'message.revoked': {
    title: 'A message was deleted for everyone',
    when: 'Its author, or an admin of the group, deleted it for everyone. Its text and its file are no longer shown.',
    payload: RevokedEventPayload,
    example: { event: 'message.revoked', payload: { ...CHANGED, revokedAt: AT, revokedBy: 'sender' } },
  },
  'message.reaction': {
    title: 'A reaction changed',
    when: 'A person added, changed or removed an emoji on a message.',
    payload: ReactionEventPayload,
    example: { event: 'message.reaction', payload: { ...CHANGED, fromMe: true, emoji: '👍', by: CONTACT, at: AT } },
  },
  'message.vote': {
    title: 'A poll vote changed',
    when: 'A person voted in a poll, or changed or withdrew the vote.',
    payload: PollVoteEventPayload,
    example: {
      event: 'message.vote',
      payload: { ...CHANGED, fromMe: true, options: ['Monday'], by: CONTACT, at: AT },
    },
  },
  'call.updated': {
    title: 'A call reached the account',
    when:
      'A call reached the account, was taken on the phone, or was declined. Each step is reported once and ' +
      'never reverts.',
    payload: CallEventPayload,
    example: {
      event: 'call.updated',
      payload: {
        ...MESSAGE,
        from: '4915112345678',
        status: 'received',
        isVideo: false,
        isGroup: false,
        timestamp: Date.parse(AT) / 1_000,
      },
    },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: EventPayload }>;
