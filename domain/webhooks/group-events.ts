import { z } from 'zod';
import { explained } from '../explained.ts';
import { ContactId, ConversationId, SessionId } from '../ids.ts';
import { GROUP_ROLES } from '../group.ts';
import type { EventPayload } from './event.ts';

const GROUP_CHANGES = ['joined', 'left', 'name', 'participants'] as const;
export type GroupChange = (typeof GROUP_CHANGES)[number];

export const MEMBER_CHANGES = ['joined', 'left', 'role'] as const;

const GroupMemberChanged = z.object({
  chatId: z.string().meta({ description: 'The address under which the network shows them in the group.' }),
  phone: z.string().nullable().meta({ description: 'The digits of their phone. Null where it is not known.' }),
  contactId: ContactId.nullable().meta({ description: 'The contact, where the tenant has talked with them.' }),
  name: z.string().nullable().meta({ description: "The contact's name. Null where none is known." }),
  role: z.enum(GROUP_ROLES).meta({ description: 'What they may do in the group, or might until they left.' }),
  change: z.enum(MEMBER_CHANGES).meta({
    description: explained('What is other than before.', {
      joined: 'They have come into the group.',
      left: 'They have left it, or were taken out.',
      role: 'They may do more in it than before, or less.',
    }),
  }),
});

export const GroupEventPayload = z.object({
  sessionId: SessionId,
  conversationId: ConversationId,
  chatId: z.string().meta({ description: "The network's name of the group." }),
  name: z.string().nullable().meta({ description: "The group's name. Null where it is not known." }),
  changed: z.array(z.enum(GROUP_CHANGES)).meta({
    description: explained('What is other than before.', {
      joined: 'The account is in the group now.',
      left: 'The account is not in it any more.',
      name: 'The group has another name.',
      participants: 'Others have come or left, or somebody has another role.',
    }),
  }),
  participants: z.array(GroupMemberChanged).meta({
    description:
      'The others who have come or left, and whoever has another role. Empty where the account itself has just come: ' +
      '`GET /api/v1/conversations/{conversationId}/participants` lists who is there.',
  }),
  timestamp: z.int().meta({ description: 'When the engine learned it, in Unix seconds.' }),
});

/** The event about a group, with its example. */
export const GROUP_ENTRIES = {
  'group.updated': {
    title: 'A group is another one than before',
    when: 'The account has come into a group or left it, somebody else has, somebody has another role in it, or it has another name. The first reading of who is in a group is not told.',
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
