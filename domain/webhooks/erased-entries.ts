import type { z } from 'zod';
import { ContactErasedPayload } from './erased-events.ts';
import type { EventPayload } from './event.ts';

/** The event about a person who was erased, with its example. */
export const ERASED_ENTRIES = {
  'contact.erased': {
    title: 'A contact was erased',
    when: 'The data of a person was erased on request. Delete what you keep of the contact and of these conversations. Anyone who writes from the same number later is a new contact.',
    payload: ContactErasedPayload,
    example: {
      event: 'contact.erased',
      payload: {
        contactId: 'con_019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50',
        mergedFrom: [],
        conversationIds: ['cnv_019a8f3d-1b20-7d63-8c2e-5a7b9c1d3e4f'],
        timestamp: Date.parse('2026-03-02T09:30:00.000Z') / 1_000,
      },
    },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: EventPayload }>;
