import type { z } from 'zod';
import { ContactMergedPayload, ContactUnmergedPayload } from './contact-events.ts';
import type { EventPayload } from './event.ts';

const STAYS = {
  contact: 'con_019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50',
  conversation: 'cnv_019a8f3d-1b20-7d63-8c2e-5a7b9c1d3e4f',
  session: 'ses_019a8f30-aa00-7f85-8e40-7c9d1e3f5061',
};
const OTHER = {
  contact: 'con_019a8f3c-2e10-7b41-9c5d-7e8f90a1b2c3',
  conversation: 'cnv_019a8f3c-2e11-7c52-8d6e-8f90a1b2c3d4',
};

const person = {
  contactId: STAYS.contact,
  chatIds: ['123456789012345@lid', '4915112345678@c.us'],
  timestamp: Date.parse('2026-03-02T09:30:00.000Z') / 1_000,
};

/** The events about merges of contacts, with their examples. */
export const MERGE_ENTRIES = {
  'contact.merged': {
    title: 'Two contacts were merged',
    when: 'The network showed that two contacts are one person: two of their addresses, such as a hidden id and its phone number, belong together.',
    payload: ContactMergedPayload,
    example: {
      event: 'contact.merged',
      payload: {
        ...person,
        mergedFrom: OTHER.contact,
        cause: 'hidden_id_check',
        conversations: [
          { conversationId: STAYS.conversation, sessionId: STAYS.session, mergedFrom: OTHER.conversation },
        ],
      },
    },
  },
  'contact.unmerged': {
    title: 'A merge of contacts was undone',
    when: 'A user separated two merged contacts.',
    payload: ContactUnmergedPayload,
    example: {
      event: 'contact.unmerged',
      payload: {
        ...person,
        partedFrom: OTHER.contact,
        conversations: [
          { conversationId: STAYS.conversation, sessionId: STAYS.session, partedFrom: OTHER.conversation },
        ],
      },
    },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: EventPayload }>;
