import type { z } from 'zod';
import { MediaEventPayload } from './event.ts';
import type { EventPayload } from './event.ts';

const MESSAGE = 'msg_019a8f3e-7c11-7a52-9b1c-2f4d6e8a0b13';
const FILE = `https://engine.example.com/media/${MESSAGE}/3q2-7wA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8s`;

/** The event about a file that comes after the event of its message, with its example. */
export const MEDIA_ENTRIES = {
  'message.media': {
    title: 'A file arrived late',
    when:
      'The file of a message arrived after the `message` event had said `media_pending`, or it is certain that it ' +
      'will not arrive; then `media.error` gives the reason.',
    payload: MediaEventPayload,
    example: {
      event: 'message.media',
      payload: {
        messageId: MESSAGE,
        conversationId: 'cnv_019a8f3d-1b20-7d63-8c2e-5a7b9c1d3e4f',
        contactId: 'con_019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50',
        media: {
          url: FILE,
          mimeType: 'image/jpeg',
          fileName: null,
          sizeBytes: 48_213,
          sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        },
        mediaUrl: FILE,
        timestamp: Date.parse('2026-03-02T09:30:00.000Z') / 1_000,
      },
    },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: EventPayload }>;
