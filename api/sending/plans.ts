import { z } from 'zod';
import { trySend } from '../../db/sending/try-send.ts';
import { ConversationId } from '../../domain/ids.ts';
import type { Part } from '../../domain/sending/parts.ts';
import { PlannedKind, PlannedReply } from '../../domain/sending/planned.ts';
import { ReplyToConversation, Timing } from '../../domain/sending/send.ts';
import { defineRoute } from '../deps.ts';
import { accepted, newSend } from './send.ts';

const ANY_WORDS = 'words';

/** A message of each kind; what it says decides nothing. */
const PARTS: Readonly<Record<PlannedKind, Part>> = {
  text: { kind: 'text', body: ANY_WORDS },
  buttons: {
    kind: 'buttons',
    body: ANY_WORDS,
    content: { buttons: { buttons: [{ type: 'reply', text: ANY_WORDS }] } },
  },
  list: {
    kind: 'list',
    body: ANY_WORDS,
    content: {
      list: {
        title: ANY_WORDS,
        button: ANY_WORDS,
        sections: [{ title: ANY_WORDS, rows: [{ title: ANY_WORDS, rowId: '1' }] }],
      },
    },
  },
};

export const planRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/inbox/conversations/:conversationId/plan',
    auth: 'tenant',
    cost: 2,
    scope: 'send',
    operationId: 'conversations.readPlan',
    summary: 'Preview the send time of a message',
    description:
      'Returns what a send would return now, without sending. It shows the time, the rule that decides it, ' +
      'the rendering, and a refusal after an opt-out.\n\nA message sent a moment later may find another one ' +
      'ahead of it.',
    params: z.object({ conversationId: ConversationId }),
    query: z.object({
      kind: PlannedKind.default('text'),
      actor: ReplyToConversation.shape.actor,
      sendAt: Timing.sendAt,
      expiresAt: Timing.expiresAt,
    }),
    reply: PlannedReply,
    errors: ['not_found'],
    async handle({ scope, caller, params, query }, { database }) {
      const { kind, actor, ...timing } = query;
      const place = { caller, scope, database, session: undefined };
      const send = await newSend(place, { ...params, ...timing }, [PARTS[kind]]);
      const tried = await trySend(database, scope, { ...send, origin: actor === 'person' ? 'person' : 'api' });
      const { plan = null, renderedAs, messages } = accepted(tried, { conversation: 'path/conversationId' }).body;
      return { plan, renderedAs: renderedAs ?? null, error: messages[0]?.error ?? null };
    },
  }),
];
