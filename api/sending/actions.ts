import { z } from 'zod';
import { noteActOfPerson } from '../../db/sending/runs-taken-over.ts';
import { findMessageInScope } from '../../db/conversations/message.ts';
import { acceptAction, lockActedMessage } from '../../db/sending/actions/accept-action.ts';
import type { NewAction } from '../../db/sending/actions/accept-action.ts';
import { listActions, toActionView } from '../../db/sending/actions/action.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { notFound } from '../../domain/error.ts';
import { MessageId } from '../../domain/ids.ts';
import { requireCapability } from '../../domain/network/capabilities.ts';
import type { CapabilityName } from '../../domain/network/capabilities.ts';
import type { Scope } from '../../domain/scope.ts';
import {
  EditMessage,
  lastMomentOf,
  MessageAction,
  ReactToMessage,
  RevokeMessage,
} from '../../domain/sending/message-action.ts';
import type { ActionKind } from '../../domain/sending/message-action.ts';
import { defineRoute } from '../deps.ts';
import { answer } from '../wire/answer.ts';

const params = z.object({ messageId: MessageId });

/** The fields that every route for an action declares. */
const asking = {
  method: 'POST',
  auth: 'tenant',
  scope: 'send',
  params,
  status: 202,
  reply: MessageAction,
  idempotent: true,
} as const;

const THEN =
  'Returns 202 once the action is durably accepted.\n\nActions on one message are done in the order in ' +
  'which they were requested.\n\nThe list of actions in `Location` shows the outcome, and so does the ' +
  'same event that reports what someone does on the phone.';

export const actionRoutes = [
  defineRoute({
    ...asking,
    path: '/api/v1/inbox/messages/:messageId/edit',
    operationId: 'messages.edit',
    location: 'The actions on the message.',
    summary: 'Edit a sent text',
    description: `Edits only a text that the account sent, within 15 minutes after it was sent. ${THEN}`,
    body: EditMessage,
    errors: [
      'not_found',
      'message_not_sent',
      'message_not_own',
      'message_not_editable',
      'message_revoked',
      'message_too_old',
      'not_supported_by_engine',
    ],
    handle: ({ scope, caller: { keyId, actor }, params: { messageId }, body, commit }) =>
      commit.transaction((tx) => act(tx, scope, { messageId, kind: 'edit', value: body.text, keyId, actor })),
  }),

  defineRoute({
    ...asking,
    path: '/api/v1/inbox/messages/:messageId/revoke',
    operationId: 'messages.revoke',
    location: 'The actions on the message.',
    summary: 'Delete a message for everyone',
    description: `Deletes only a message that the account sent, within 60 hours after it was sent. ${THEN}`,
    body: RevokeMessage,
    errors: [
      'not_found',
      'message_not_sent',
      'message_not_own',
      'message_revoked',
      'message_too_old',
      'not_supported_by_engine',
    ],
    handle: ({ scope, caller: { keyId, actor }, params: { messageId }, commit }) =>
      commit.transaction((tx) => act(tx, scope, { messageId, kind: 'revoke', value: null, keyId, actor })),
  }),

  defineRoute({
    ...asking,
    path: '/api/v1/inbox/messages/:messageId/reaction',
    operationId: 'messages.react',
    location: 'The actions on the message.',
    summary: 'React to a message',
    description: `Sets the account's reaction on any message of a conversation, replaces an earlier one, or removes it. ${THEN}`,
    body: ReactToMessage,
    errors: ['not_found', 'message_not_sent', 'message_revoked', 'not_supported_by_engine'],
    handle: ({ scope, caller: { keyId, actor }, params: { messageId }, body, commit }) =>
      commit.transaction((tx) =>
        act(tx, scope, { messageId, kind: 'reaction', value: body.emoji ?? '', keyId, actor }),
      ),
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/inbox/messages/:messageId/actions',
    auth: 'tenant',
    scope: 'read',
    operationId: 'messages.listActions',
    summary: "List a message's edits, deletions and reactions",
    description:
      'Returns requested edits, deletions and reactions, latest first, at most 100. Requests come from the ' +
      'API or a route of the backend.',
    params,
    reply: z.object({ actions: z.array(MessageAction).meta({ description: 'The actions, the latest first.' }) }),
    errors: ['not_found'],
    async handle({ scope, params: { messageId } }, { database }) {
      return database.read(async (queries) => {
        if (!(await findMessageInScope(queries, scope, messageId))) throw notFound('message');
        return { actions: (await listActions(queries, scope, messageId)).map(toActionView) };
      });
    },
  }),
];

const CAPABILITY: Readonly<Record<ActionKind, CapabilityName>> = {
  edit: 'edits',
  revoke: 'revokes',
  reaction: 'reactions',
};

/** Refuses at once what the network would refuse, and accepts the rest. */
async function act(tx: Tx, scope: Scope, asked: Omit<NewAction, 'sessionId' | 'until'>) {
  const { messageId, kind } = asked;
  const message = await lockActedMessage(tx, scope, messageId);
  if (!message) throw notFound('message');
  requireCapability(CAPABILITY[kind], message.platform);
  const until = lastMomentOf(kind, message, tx.now);
  const { messageId: id, sessionId, conversationId } = message;
  await noteActOfPerson(tx, conversationId);
  const action = toActionView(await acceptAction(tx, scope, { ...asked, messageId: id, sessionId, until }));
  return answer(202, action, { location: `/api/v1/inbox/messages/${id}/actions` });
}
