import { z } from 'zod';
import { explained } from '../explained.ts';
import { ContactId, ConversationId, SessionId } from '../ids.ts';
import { GROUP_ROLES } from '../group.ts';

const GROUP_CHANGES = ['joined', 'left', 'name', 'participants'] as const;
export type GroupChange = (typeof GROUP_CHANGES)[number];

export const MEMBER_CHANGES = ['joined', 'left', 'role'] as const;

const GroupMemberChanged = z.object({
  chatId: z.string().meta({ description: 'The address under which the network shows this person in the group.' }),
  phone: z.string().nullable().meta({ description: 'The digits of their phone number. Null if not known.' }),
  contactId: ContactId.nullable().meta({ description: 'The contact, if the tenant has talked with them.' }),
  name: z.string().nullable().meta({ description: "The contact's name. Null if not known." }),
  role: z.enum(GROUP_ROLES).meta({ description: 'Their role in the group, also after they left.' }),
  change: z.enum(MEMBER_CHANGES).meta({
    description: explained('The changed fields.', {
      joined: 'They joined the group.',
      left: 'They left the group, or were removed.',
      role: 'They have more or fewer rights in it than before.',
    }),
  }),
});

export const GroupEventPayload = z.object({
  sessionId: SessionId,
  conversationId: ConversationId,
  chatId: z.string().meta({ description: "The group's id on the network." }),
  name: z.string().nullable().meta({ description: "The group's name. Null if not known." }),
  changed: z.array(z.enum(GROUP_CHANGES)).meta({
    description: explained('The changed fields.', {
      joined: 'The account is now in the group.',
      left: 'The account is no longer in the group.',
      name: 'The group has a new name.',
      participants: 'Others joined or left, or a member has a new role.',
    }),
  }),
  participants: z.array(GroupMemberChanged).meta({
    description:
      'The others who joined or left, and anyone who has a new role. Empty if the account itself has only now ' +
      'joined: `GET /api/v1/conversations/{conversationId}/participants` lists the members.',
  }),
  timestamp: z.int().meta({ description: 'When the engine learned of it, in Unix seconds.' }),
});
