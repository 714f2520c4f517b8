import { changeLabels } from '../../db/network/change-labels.ts';
import { recordAllLabels } from '../../db/conversations/labels/labels.ts';
import type { Session } from '../../db/sessions/session.ts';
import { invalid, EngineError } from '../../domain/error.ts';
import { LabelsSet, ListedLabels, SetLabels } from '../../domain/labels.ts';
import type { Label } from '../../domain/labels.ts';
import { requireCapability } from '../../domain/network/capabilities.ts';
import { defineRoute } from '../deps.ts';
import type { ApiDeps } from '../deps.ts';
import { IF_ABLE_ERRORS, atBackend } from '../sessions/at-backend.ts';
import { requireWorking } from '../sessions/readiness.ts';
import { sessionInScope } from '../sessions/session-in-scope.ts';
import { SessionPath } from '../sessions/session-path.ts';
import { chatNamed } from './chat-named.ts';
import { LABEL_CHANGE_MS } from '../../adapters/backend/calls/labels.ts';
import { giveBackLabelLease, takeLabelLease } from '../../db/conversations/labels/label-lease.ts';
import type { LabelledChat } from '../../db/conversations/labels/label-lease.ts';

const MAX_SHOWN_IDS = 50;

const NO_LABELS =
  'Only business accounts have labels: an account without any has an empty list.\n\nReturns 501 ' +
  "`not_supported_by_engine` if the session's engine, its version or its edition does not support labels.";

export const labelRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:id/labels',
    auth: 'tenant',
    cost: 2,
    scope: 'read',
    operationId: 'labels.list',
    summary: 'List the labels of the account',
    description: `Asks the network and returns the labels of the account. ${NO_LABELS}`,
    params: SessionPath,
    reply: ListedLabels,
    errors: [...IF_ABLE_ERRORS],
    async handle({ scope, params }, deps) {
      const session = await sessionInScope(deps.database, scope, params.id);
      return { labels: await readLabels(session, deps) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/sessions/:id/labels/set',
    auth: 'tenant',
    cost: 4,
    scope: 'send',
    operationId: 'labels.set',
    summary: 'Set the labels of a chat',
    description:
      'Changes the labels of one chat. Name the chat with `conversationId`, `contactId` or `chatId`; the ' +
      'first one given counts.\n\nChanges of a chat are made one after the other, so two simultaneous `add` ' +
      'requests both take effect. Safe to repeat. Event: `conversation.labelled`, if the chat has a ' +
      `conversation. ${NO_LABELS}`,
    params: SessionPath,
    body: SetLabels,
    reply: LabelsSet,
    errors: ['recipient_required', 'invalid_recipient', ...IF_ABLE_ERRORS],
    async handle({ scope, params, body, request }, deps) {
      const { database } = deps;
      const session = await sessionInScope(database, scope, params.id);
      const chat = await chatNamed(database, { scope, sessionId: session.id }, body);
      const labels = await readLabels(session, deps);
      const known = labels.map(({ id }) => id);
      refuseUnknown(body.labelIds, known);
      const { agencyId, tenantId } = session;
      const place = { agencyId, tenantId, sessionId: session.id, chatId: chat.chatId };
      const at = { session: session.name, chatId: chat.chatId };
      const { labelIds: given, mode } = body;
      const labelIds = await withLabelLease(deps, { ...place, signal: request.signal }, () =>
        changeLabels(database, place, {
          mode,
          given,
          known,
          read: () => atBackend(session, deps, (backend) => backend.listLabelsOfChat(at)),
          set: (ids) => atBackend(session, deps, (backend) => backend.setLabelsOfChat(at, ids)),
        }),
      );
      return { success: true as const, ...chat, labels: labels.filter(({ id }) => labelIds.includes(id)) };
    },
  }),
];

/** Asks the network for the account's labels, and keeps them for the lists of chats. */
async function readLabels(session: Session, deps: ApiDeps): Promise<Label[]> {
  const { database } = deps;
  requireCapability('labels', session.platform ?? null);
  requireWorking(session);
  const startedAt = database.clock.now();
  const labels = await atBackend(session, deps, (backend) => backend.listLabels(session.name));
  await database.transaction((tx) => recordAllLabels(tx, session.id, labels, startedAt));
  return labels;
}

/** Refuses ids that the account does not have: the backend would take them, and the chat's other labels would go. */
function refuseUnknown(given: readonly string[], known: readonly string[]): void {
  const wrong = given.flatMap((id, index) =>
    known.includes(id) ? [] : [{ pointer: `/labelIds/${index}`, message: 'is not a label of the account' }],
  );
  if (wrong.length === 0) return;
  throw invalid(
    wrong,
    known.length === 0
      ? 'The account has no labels: create them on the phone, in a business account.'
      : `The account has the labels ${known.slice(0, MAX_SHOWN_IDS).join(', ')}; GET /api/v1/sessions/{id}/labels ` +
          'returns their names.',
  );
}

const MAX_WAIT_MS = 10_000;

type Deps = Pick<ApiDeps, 'database' | 'messageWatch'>;

/** The chat, and the request that waits for it as long as its client does. */
interface Waiting extends LabelledChat {
  signal: AbortSignal;
}

/**
 * Changes a chat's labels while no other request of any process does. The backend replaces all labels of a chat at once,
 * so of two changes at the same time one would be lost. A process that dies leaves its lease until the end of that.
 */
export async function withLabelLease<T>(deps: Deps, chat: Waiting, change: () => Promise<T>): Promise<T> {
  const token = await awaitLease(deps, chat);
  try {
    return await change();
  } finally {
    await deps.database.statement((tx) => giveBackLabelLease(tx, chat, token));
  }
}

/** Waits until the one who has the lease gives it back, which wakes whoever waits at the session. */
async function awaitLease({ database, messageWatch }: Deps, { signal, ...chat }: Waiting): Promise<string> {
  const take = async () =>
    (await database.statement((tx) => takeLabelLease(tx, chat, { forMs: LABEL_CHANGE_MS }))) ?? undefined;
  const taken = await messageWatch.until([chat.sessionId], take, { waitMs: MAX_WAIT_MS, signal });
  if (taken.outcome === 'found') return taken.value;
  throw new EngineError('busy', 'Other requests are changing the labels of this chat: retry yours.', {
    headers: { 'retry-after': '1' },
  });
}
