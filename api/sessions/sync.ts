import { askSync } from '../../db/operations/ask-sync.ts';
import { readSyncView } from '../../db/network/sync/progress.ts';
import { notFound } from '../../domain/error.ts';
import { AskSync, StopSync, SyncView } from '../../domain/sessions/sync-view.ts';
import { answer } from '../wire/answer.ts';
import { defineRoute } from '../deps.ts';
import { requireSession, sessionInScope } from './session-in-scope.ts';
import { SessionPath } from './session-path.ts';

export const syncRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:id/sync',
    auth: 'tenant',
    scope: 'read',
    operationId: 'sessions.readSync',
    summary: "Find out how far an account's past has been read",
    description:
      'All chats of the account are read, from their newest message on, as far as `limits` allow; `isBounded` says that ' +
      'there is more. It is read again when the account comes back, some times after it was linked, because a phone hands ' +
      'its past over late, and once in a while. The event `sync.progress` tells the same to who asks for it.',
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
    summary: "Read more of an account's past",
    description:
      'Reads the whole list of chats again, and each chat as deep as the limits allow, which the request may change; with ' +
      '`conversationId` that chat alone. What is here stays as it is, and nobody is told of what comes unless `events` ' +
      'asks for it. A run that goes on reads it besides.',
    params: SessionPath,
    body: AskSync,
    status: 202,
    reply: SyncView,
    idempotent: true,
    errors: ['not_found'],
    async handle({ scope, params, body, caller, commit }) {
      const { actor, reason, agencyId: _agency, tenantId: _tenant, ...bounds } = body;
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
    summary: "Stop reading an account's past",
    description:
      'What was read stays. What is new is still read when the account comes back, older messages only when somebody ' +
      'asks for them.',
    params: SessionPath,
    body: StopSync,
    reply: SyncView,
    errors: ['not_found'],
    async handle({ scope, params, body, caller }, { database }) {
      return database.transaction(async (tx) => {
        const session = await requireSession(tx, scope, params.id);
        const by = { keyId: caller.keyId, actor: body.actor, reason: body.reason };
        await askSync(tx, session, { asked: { act: 'stop' }, by });
        return readSyncView(tx, session);
      });
    },
  }),
];
