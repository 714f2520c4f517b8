import { z } from 'zod';
import type { CallsOf } from '../../adapters/backend/backends.ts';
import { findConversationInScope } from '../../db/conversations/conversation.ts';
import type { Conversation } from '../../db/conversations/conversation.ts';
import { findMembersAt, listMembers } from '../../db/network/groups/members.ts';
import type { Member } from '../../db/network/groups/members.ts';
import { recordGroup } from '../../db/network/groups/groups.ts';
import type { Session } from '../../db/sessions/session.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { ContactId, ConversationId } from '../../domain/ids.ts';
import { chatKind } from '../../domain/network/chat-id.ts';
import { GROUP_ROLES } from '../../domain/group.ts';
import { explained } from '../../domain/explained.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import { defineRoute } from '../deps.ts';
import type { ApiDeps } from '../deps.ts';
import { sessionInScope } from '../sessions/session-in-scope.ts';

/** A group that was read within this time is not asked for again. */
const FRESH_MS = 60_000;

const Participant = z
  .object({
    chatId: z.string().meta({ description: 'The address under which the network shows them in the group.' }),
    phone: z.string().nullable().meta({ description: 'The digits of their phone number. Null if it is not known.' }),
    contactId: ContactId.nullable().meta({ description: 'The contact, if the tenant has talked with them.' }),
    name: z.string().nullable().meta({ description: "The contact's name. Null if none is known." }),
    role: z.enum(GROUP_ROLES).meta({
      description: explained('Their role in the group.', {
        participant: 'They can write in it.',
        admin: 'They manage it.',
        superadmin: 'They created it.',
      }),
    }),
    isMe: z.boolean().meta({ description: "True for the session's own account." }),
  })
  .meta({ id: 'Participant', description: 'A member of a group.' });

export const participantRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/conversations/:conversationId/participants',
    auth: 'tenant',
    cost: 3,
    scope: 'read',
    operationId: 'conversations.listParticipants',
    summary: 'List the participants of a group',
    description:
      'Returns the members of a group. `isCurrent` is false if the network did not respond.\n\nIt asks the ' +
      'network at most once a minute. In between, reports from the network keep the list up to date. ' +
      'Event: `group.updated`. Being in a group does not make anyone a contact. A chat with one person has ' +
      'no participants.',
    params: z.object({ conversationId: ConversationId }),
    reply: z.object({
      conversationId: ConversationId,
      participants: z
        .array(Participant)
        .meta({ description: 'The participants; those who manage the group come first.' }),
      isCurrent: z.boolean().meta({
        description: 'False if the network could not be asked, so the list may be out of date.',
      }),
    }),
    errors: ['not_found'],
    async handle({ scope, params }, { database, backends }) {
      const conversation = await database.read((q) => findConversationInScope(q, scope, params.conversationId));
      if (!conversation) throw notFound('conversation');
      const { id } = conversation;
      if (chatKind(conversation.chatId) !== 'group') return { conversationId: id, participants: [], isCurrent: true };
      const session = await sessionInScope(database, scope, conversation.sessionId);
      const isCurrent = await refresh({ database, backends }, conversation, session);
      const members = await database.read((queries) => listMembers(queries, scope, { conversationId: id }));
      return { conversationId: id, participants: members.map((member) => toView(member, session)), isCurrent };
    },
  }),
];

/** Asks the network who is in the group, unless that was done a moment ago. False when it could not be asked. */
async function refresh(
  { database, backends }: { database: ApiDeps['database']; backends: CallsOf<'readGroup'> },
  { id, agencyId, tenantId, sessionId, chatId }: Conversation,
  session: Session,
): Promise<boolean> {
  const lastReadAt = await database.read((queries) => findMembersAt(queries, id));
  const readAt = database.clock.now();
  if (lastReadAt !== null && readAt.getTime() - lastReadAt.getTime() < FRESH_MS) return true;
  if (session.status !== WORKING) return false;
  try {
    const group = await backends.of(session).readGroup({ session: session.name, chatId });
    await database.transaction((tx) =>
      recordGroup(tx, { agencyId, tenantId, sessionId, conversationId: id }, { ...group, readAt }),
    );
    return true;
  } catch (error) {
    // Answer with the stored rows despite the backend's failure; a fault of the engine itself must show.
    if (error instanceof EngineError) return false;
    throw error;
  }
}

function toView({ phoneChatId, ...member }: Member, session: Session): z.input<typeof Participant> {
  const own = [session.chatId, session.lid];
  return {
    ...member,
    isMe: [member.chatId, phoneChatId].some((address) => address !== null && own.includes(address)),
  };
}
