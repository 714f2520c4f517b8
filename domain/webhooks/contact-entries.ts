import type { z } from 'zod';
import { ContactEventPayload } from '../contact.ts';
import type { EventPayload } from './event.ts';

/** The event about what an account knows of a person, with its example. */
export const CONTACT_ENTRIES = {
  'contact.updated': {
    title: 'An account knows something else of a person',
    when:
      'A reading of the contacts has found a new person or another name, a person has written under another name than before, ' +
      'somebody was blocked or unblocked, somebody has opted out or in, or a picture is another one. The first reading of an ' +
      'account is not told, nor are dozens of new people that come at once, nor somebody whom their first message makes known.',
    payload: ContactEventPayload,
    example: {
      event: 'contact.updated',
      payload: {
        sessionId: 'ses_019a8f30-aa00-7f85-8e40-7c9d1e3f5061',
        contactId: 'con_019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50',
        chatId: '4915112345678@c.us',
        phone: '4915112345678',
        lid: '123456789012345@lid',
        name: 'Alex Meyer',
        pushName: 'Alex',
        isBlocked: false,
        isOptedOut: false,
        isMyContact: true,
        aliases: ['123456789012345@lid', '4915112345678@c.us'],
        picture: null,
        changed: ['name', 'isMyContact'],
        timestamp: Date.parse('2026-03-02T09:30:00.000Z') / 1_000,
      },
    },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: EventPayload }>;
