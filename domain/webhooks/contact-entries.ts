import type { z } from 'zod';
import { ContactEventPayload } from '../contact.ts';
import type { EventPayload } from './event.ts';

/** The event about what an account knows of a person, with its example. */
export const CONTACT_ENTRIES = {
  'contact.updated': {
    title: 'An account has new details about a person',
    when:
      'Reading the contacts found a new person or another name, a person wrote under another name than before, ' +
      'somebody was blocked or unblocked, somebody opted out or in, or a picture changed. Not reported: the first ' +
      'reading of an account, dozens of new people at once, and a person who becomes known by their first message.',
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
