import { z } from 'zod';
import { findMessageInScope } from '../../db/conversations/message.ts';
import { acceptAction, lockActedMessage } from '../../db/sending/actions/accept-action.ts';
import type { NewAction } from '../../db/sending/actions/accept-action.ts';
import { listActions, toActionView } from '../../db/sending/actions/action.ts';
import type { Tx } from '../../db/tx.ts';
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

/** What every route that asks for an action declares. */
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
  'Answers 202 once it is durably accepted; actions on one message are done in the order in which they were asked for. What ' +
  'becomes of it is told by the list of actions in `Location`, and by the same event as of what somebody does on the phone.';

export const actionRoutes = [
  defineRoute({
    ...asking,
    path: '/api/v1/inbox/messages/:messageId/edit',
    operationId: 'messages.edit',
    summary: 'Edit a text that was sent',
    description: `Only a text of the account, within 15 minutes after it was sent. ${THEN}`,
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
    handle: ({ scope, caller: { keyId }, params: { messageId }, body, commit }) =>
      commit.transaction((tx) => act(tx, scope, { messageId, kind: 'edit', value: body.text, keyId })),
  }),

  defineRoute({
    ...asking,
    path: '/api/v1/inbox/messages/:messageId/revoke',
    operationId: 'messages.revoke',
    summary: 'Delete a message for everyone',
    description: `Only a message of the account, within 60 hours after it was sent. ${THEN}`,
    body: RevokeMessage,
    errors: [
      'not_found',
      'message_not_sent',
      'message_not_own',
      'message_revoked',
      'message_too_old',
      'not_supported_by_engine',
    ],
    handle: ({ scope, caller: { keyId }, params: { messageId }, commit }) =>
      commit.transaction((tx) => act(tx, scope, { messageId, kind: 'revoke', value: null, keyId })),
  }),

  defineRoute({
    ...asking,
    path: '/api/v1/inbox/messages/:messageId/reaction',
    operationId: 'messages.react',
    summary: 'React to a message',
    description: `Puts the account's reaction on any message of a conversation, in place of an earlier one, or takes it away. ${THEN}`,
    body: ReactToMessage,
    errors: ['not_found', 'message_not_sent', 'message_revoked', 'not_supported_by_engine'],
    handle: ({ scope, caller: { keyId }, params: { messageId }, body, commit }) =>
      commit.transaction((tx) => act(tx, scope, { messageId, kind: 'reaction', value: body.emoji ?? '', keyId })),
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/inbox/messages/:messageId/actions',
    auth: 'tenant',
    scope: 'read',
    operationId: 'messages.listActions',
    summary: 'List what was asked to be done to a message',
    description: 'Edits, deletions for everyone and reactions that were asked for here, the latest first, 100 at most.',
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
  const { sessionId } = message;
  const action = toActionView(await acceptAction(tx, scope, { ...asked, sessionId, until }));
  return answer(202, action, { location: `/api/v1/inbox/messages/${messageId}/actions` });
}
