import { askSync } from '../../db/operations/ask-sync.ts';
import { readSyncView } from '../../db/network/sync/progress.ts';
import { notFound } from '../../domain/error.ts';
import { AskSync, StopSync, SyncView } from '../../domain/sessions/sync-view.ts';
import { answer } from '../wire/answer.ts';
import { defineRoute } from '../deps.ts';
import { actingAs } from '../route/caller.ts';
import { requireSession, sessionInScope } from './session-in-scope.ts';
import { SessionPath } from './session-path.ts';

export const syncRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:id/sync',
    auth: 'tenant',
    scope: 'read',
    operationId: 'sessions.readSync',
    summary: 'Retrieve the progress of a history sync',
    description:
      "Returns the progress of reading an account's history. `isBounded` is true if `limits` end the " +
      'reading before the oldest message.\n\nAll chats are read, from their newest message. The history is ' +
      'read again when the account reconnects and from time to time. After the account was linked, it is ' +
      'read several times, because a phone delivers its history late. The event `sync.progress` reports ' +
      'the same to endpoints that subscribe to it.',
    params: SessionPath,
    reply: SyncView,
    errors: ['not_found'],
    async handle({ scope, params }, { database }) {
      const session = await sessionInScope(database, scope, params.id);
      return database.read((queries) => readSyncView(queries, session));
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/sessions/:id/sync',
    auth: 'tenant',
    cost: 10,
    scope: 'sessions',
    operationId: 'sessions.sync',
    summary: "Sync more of an account's history",
    description:
      'Reads all chats again, or one with `conversationId`. Existing data stays, and only `events` reports ' +
      'new messages.\n\nEach chat is read as deep as the limits allow; the request may change them. A run in ' +
      'progress also reads it.',
    params: SessionPath,
    body: AskSync,
    status: 202,
    reply: SyncView,
    idempotent: true,
    errors: ['not_found'],
    async handle({ scope, params, body, caller, commit }) {
      const { actor: named, reason, agencyId: _agency, tenantId: _tenant, ...bounds } = body;
      const actor = actingAs(caller, named);
      return commit.transaction(async (tx) => {
        const session = await requireSession(tx, scope, params.id);
        const by = { keyId: caller.keyId, actor, reason };
        if (!(await askSync(tx, session, { asked: { act: 'deepen', ...bounds }, by }))) throw notFound('conversation');
        return answer(202, await readSyncView(tx, session));
      });
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/sessions/:id/sync/stop',
    auth: 'tenant',
    cost: 5,
    scope: 'sessions',
    operationId: 'sessions.stopSync',
    summary: "Stop syncing an account's history",
    description:
      'Stops the reading. Messages read so far stay.\n\nNew messages are still read when the account comes back, ' +
      'older messages only when someone requests them.',
    params: SessionPath,
    body: StopSync,
    reply: SyncView,
    errors: ['not_found'],
    async handle({ scope, params, body, caller }, { database }) {
      return database.transaction(async (tx) => {
        const session = await requireSession(tx, scope, params.id);
        const by = { keyId: caller.keyId, actor: actingAs(caller, body.actor), reason: body.reason };
        await askSync(tx, session, { asked: { act: 'stop' }, by });
        return readSyncView(tx, session);
      });
    },
  }),
];
