import type { z } from 'zod';
import type { EventPayload } from './event.ts';
import { GroupEventPayload } from './group-payload.ts';

// A file of its own, because the catalogue is as long as a file may be.

/** The event about a group, with its example. */
export const GROUP_ENTRIES = {
  'group.updated': {
    title: 'A group changed',
    when:
      "A member joined, left or got another role, or the group's name changed. The first reading of a " +
      'group is not reported.\n\nMembers include the account itself.',
    payload: GroupEventPayload,
    example: {
      event: 'group.updated',
      payload: {
        sessionId: 'ses_019a8f30-aa00-7f85-8e40-7c9d1e3f5061',
        conversationId: 'cnv_019a8f3d-1b20-7d63-8c2e-5a7b9c1d3e4f',
        chatId: '120363000000000000@g.us',
        name: 'Team',
        changed: ['participants'],
        participants: [
          {
            chatId: '123456789012345@lid',
            phone: '4915112345678',
            contactId: 'con_019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50',
            name: 'Alex Meyer',
            role: 'participant',
            change: 'joined',
          },
        ],
        timestamp: Date.parse('2026-03-02T09:30:00.000Z') / 1_000,
      },
    },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: EventPayload }>;
