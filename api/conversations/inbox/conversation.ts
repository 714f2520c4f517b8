import { z } from 'zod';
import { listHandovers } from '../../../db/agent/past-handovers.ts';
import { listTurns } from '../../../db/agent/turn.ts';
import { listOtherChats, readChat } from '../../../db/conversations/inbox/chats.ts';
import { readKnownContacts } from '../../../db/conversations/known-contact.ts';
import { listLabelsOf } from '../../../db/conversations/labels/labels.ts';
import { Contact } from '../../../domain/contact.ts';
import { ConversationMode } from '../../../domain/conversation.ts';
import { ChatSummary } from '../../../domain/inbox/chat-summary.ts';
import { notFound } from '../../../domain/error.ts';
import { ConversationId, SessionId } from '../../../domain/ids.ts';
import { TurnView } from '../../../domain/agent/turn.ts';
import { HandoverCause } from '../../../domain/webhooks/event.ts';
import { toTurnView } from '../../agent/turn-view.ts';
import { defineRoute } from '../../deps.ts';
import { isoOrNull } from '../../wire/iso-time.ts';
import { toChatSummary } from './chat-view.ts';
import { toContact } from '../contact-view.ts';

const MAX_HANDOVERS = 50;
const MAX_OTHER_CHATS = 20;

const HandoverView = z
  .object({
    at: z.iso.datetime().meta({ description: 'When it happened.' }),
    mode: ConversationMode,
    cause: HandoverCause,
    assignedTo: z.string().nullable().meta({ description: 'The person who got the conversation. Null if unnamed.' }),
    reason: z.string().nullable().meta({ description: 'The reason. Null if none was given.' }),
    actor: z.string().nullable().meta({ description: 'The actor, as the caller named them. Null if unnamed.' }),
    epoch: z.int().meta({ description: 'The epoch of the conversation from then on.' }),
  })
  .meta({ id: 'Handover', description: 'A handover: who got a conversation, when and why.' });

const OtherChat = z
  .object({
    conversationId: ConversationId,
    sessionId: SessionId.meta({ description: 'The session of the account.' }),
    accountName: z.string().meta({ description: 'The name of the account, or of its session.' }),
    lastMessageAt: z.iso.datetime().nullable().meta({ description: 'When the last message was. Null without one.' }),
  })
  .meta({ id: 'OtherChat', description: 'A conversation of the same contact with another account of the tenant.' });

const Conversation = ChatSummary.extend({
  contact: Contact.nullable().meta({ description: 'The person, as the account knows them. Null for groups.' }),
  epoch: z.int().meta({ description: 'Increases by one with every handover, so that you can recognize an older one.' }),
  reason: z.string().nullable().meta({
    description: 'Why the current person has it. Null if no reason was given, or if the agent has it.',
  }),
  takenOverBy: HandoverCause.nullable(),
  humanActiveAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'The last activity of the person who has it. Null if the agent has it.' }),
  returnsAt: z.iso
    .datetime()
    .nullable()
    .meta({
      description:
        'When it returns to the agent, unless a person does something in it before then. Null if it does not ' +
        "return: because of the persona's `autoReturnHours`, or because the agent has it.",
    }),
  handovers: z.array(HandoverView).meta({
    description: `The last ${MAX_HANDOVERS} handovers, newest first. They are kept for 90 days.`,
  }),
  otherChats: z.array(OtherChat).meta({
    description:
      "The contact's conversations with other accounts of the tenant, newest first, " +
      `${MAX_OTHER_CHATS} at most. Empty for groups, and for a key of one session.`,
  }),
  lastTurn: TurnView.nullable().meta({ description: "The agent's last turn in it. Null if it had none." }),
  createdAt: z.iso.datetime().meta({ description: 'When the engine first learned of it.' }),
}).meta({ id: 'Conversation', description: 'A conversation: who has it, who had it, and its state.' });

export const conversationDetailsRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/conversations/:conversationId',
    auth: 'tenant',
    cost: 2,
    scope: 'read',
    operationId: 'conversations.read',
    summary: 'Retrieve a conversation',
    description:
      'Returns who has the conversation, who had it, and its state. The id of a conversation that was merged into ' +
      'another one leads to that one.',
    params: z.object({ conversationId: ConversationId }),
    reply: Conversation,
    errors: ['not_found'],
    async handle({ scope, params }, { database, mediaLinks }) {
      return database.read(async (queries) => {
        const chat = await readChat(queries, scope, params.conversationId);
        if (chat === null) throw notFound('conversation', 'path/conversationId');
        const { id, sessionId, contactId } = chat;
        const { agencyId, tenantId } = scope;
        const labels = (await listLabelsOf(queries, sessionId, [id])).get(id) ?? [];
        const [contact] = contactId === null ? [] : await readKnownContacts(queries, sessionId, [contactId]);
        const [turn] = await listTurns(queries, { id, agencyId, tenantId }, { limit: 1, after: null });
        const others =
          contactId === null ? [] : await listOtherChats(queries, scope, { id, contactId }, MAX_OTHER_CHATS);
        const handovers = await listHandovers(queries, id, MAX_HANDOVERS);
        return {
          ...toChatSummary(chat, labels, mediaLinks),
          contact: contact ? toContact(contact, mediaLinks) : null,
          epoch: chat.epoch,
          reason: chat.reason,
          takenOverBy: chat.takenOverBy,
          humanActiveAt: isoOrNull(chat.humanActiveAt),
          returnsAt: isoOrNull(chat.returnsAt),
          handovers: handovers.map((handover) => ({ ...handover, at: handover.at.toISOString() })),
          otherChats: others.map((other) => ({ ...other, lastMessageAt: isoOrNull(other.lastMessageAt) })),
          lastTurn: turn ? toTurnView(turn) : null,
          createdAt: chat.createdAt.toISOString(),
        };
      });
    },
  }),
];
