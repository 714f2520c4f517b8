import type { ErrorCode } from '../../domain/error.ts';
import type { Scope } from '../../domain/scope.ts';
import { SessionStatus } from '../../domain/sessions/session.ts';
import type { ChangedBy } from '../../db/audit.ts';
import { AskNamedSession, AskSession } from '../../domain/sessions/ask.ts';
import { answer } from '../wire/answer.ts';
import { defineRoute } from '../deps.ts';
import { actingAs } from '../route/caller.ts';
import type { KeyHolder } from '../route/caller.ts';
import type { ApiDeps } from '../deps.ts';
import { ask } from './ask.ts';
import type { Asked } from '../../domain/sessions/ask.ts';
import { SessionPath } from './session-path.ts';
import { toSessionStatus } from './session-status.ts';

/** The common part of the routes. The status shows the outcome, or `pending` without one. */
const ofLifecycle = {
  auth: 'tenant' as const,
  cost: 5,
  scope: 'sessions' as const,
  reply: SessionStatus,
  statuses: { 202: 'It is recorded and will be done; `pending` names it.' },
  errors: ['not_found', 'session_not_ready'] satisfies ErrorCode[],
};

const WAITS =
  'The request waits a few seconds for the backend. If that takes longer, it returns 202 with `pending`; the ' +
  'action still completes, and the event `session.status` reports it.';
const RESTARTS =
  'Stops the session and starts it again, and keeps its login: use it for a session that hangs. A ' +
  `stopped session is started.\n\nSends in progress end first, and the others wait. ${WAITS}`;
const LOGS_OUT =
  'Deletes the login: the account is gone until someone scans a QR code again. The backend also ' +
  'deletes its messages, which the engine uses to find out the outcome of a send whose response was ' +
  'lost.\n\nSuch sends are therefore settled first; after ten minutes they end as `uncertain`. Queued ' +
  `messages wait for the next account of this session. ${WAITS}`;

export const lifecycleRoutes = [
  defineRoute({
    ...ofLifecycle,
    method: 'POST',
    path: '/api/v1/sessions/restart',
    takesUnknownTenant: true,
    operationId: 'sessions.restartNamed',
    summary: "Restart the key's session",
    description: `Acts on the key's session, the session that the body names, or the tenant's default session.\n\n${RESTARTS}`,
    body: AskNamedSession,
    handle: ({ scope, body, caller, request }, deps) =>
      answerOf(deps, scope, body.session, { act: 'restart', by: askedBy(caller, body), signal: request.signal }),
  }),

  defineRoute({
    ...ofLifecycle,
    method: 'POST',
    path: '/api/v1/sessions/logout',
    takesUnknownTenant: true,
    operationId: 'sessions.logoutNamed',
    summary: "Log out the key's session",
    description: `Acts on the key's session, the session that the body names, or the tenant's default session.\n\n${LOGS_OUT}`,
    body: AskNamedSession,
    handle: ({ scope, body, caller, request }, deps) =>
      answerOf(deps, scope, body.session, { act: 'logout', by: askedBy(caller, body), signal: request.signal }),
  }),

  defineRoute({
    ...ofLifecycle,
    method: 'POST',
    path: '/api/v1/sessions/:id/start',
    operationId: 'sessions.start',
    summary: 'Start a session',
    description:
      'Starts a session that was stopped, or that the engine no longer restarts; one that was logged out ' +
      `shows a QR code. A running session stays as it is.\n\n${WAITS}`,
    params: SessionPath,
    body: AskSession,
    handle: ({ scope, params, body, caller, request }, deps) =>
      answerOf(deps, scope, params.id, { act: 'start', by: askedBy(caller, body), signal: request.signal }),
  }),

  defineRoute({
    ...ofLifecycle,
    method: 'POST',
    path: '/api/v1/sessions/:id/stop',
    operationId: 'sessions.stop',
    summary: 'Stop a session',
    description:
      'Stops the session. It keeps its login, and stays stopped until someone starts it.\n\nSends in ' +
      `progress end first; queued messages wait until it is started, or expire. ${WAITS}`,
    params: SessionPath,
    body: AskSession,
    handle: ({ scope, params, body, caller, request }, deps) =>
      answerOf(deps, scope, params.id, { act: 'stop', by: askedBy(caller, body), signal: request.signal }),
  }),

  defineRoute({
    ...ofLifecycle,
    method: 'POST',
    path: '/api/v1/sessions/:id/restart',
    operationId: 'sessions.restart',
    summary: 'Restart a session',
    description: RESTARTS,
    params: SessionPath,
    body: AskSession,
    handle: ({ scope, params, body, caller, request }, deps) =>
      answerOf(deps, scope, params.id, { act: 'restart', by: askedBy(caller, body), signal: request.signal }),
  }),

  defineRoute({
    ...ofLifecycle,
    method: 'POST',
    path: '/api/v1/sessions/:id/logout',
    operationId: 'sessions.logout',
    summary: 'Log out a session',
    description: LOGS_OUT,
    params: SessionPath,
    body: AskSession,
    handle: ({ scope, params, body, caller, request }, deps) =>
      answerOf(deps, scope, params.id, { act: 'logout', by: askedBy(caller, body), signal: request.signal }),
  }),

  defineRoute({
    ...ofLifecycle,
    method: 'DELETE',
    path: '/api/v1/sessions/:id',
    dashboardOnly: true,
    operationId: 'sessions.delete',
    summary: 'Delete a session',
    description:
      'Logs the account out and deletes the session permanently. From this response on, every other ' +
      'request about it returns 404, its keys no longer work, and its name cannot be reused.\n\nIf it was ' +
      'the default, the oldest of the other sessions becomes the default. Queued and scheduled messages ' +
      'end as `failed` with the reason `session_deleted`, and sends in progress are settled first. ' +
      'Conversations and messages stay.' +
      WAITS,
    params: SessionPath,
    errors: ['not_found', 'forbidden'],
    async handle({ scope, params, caller, request }, deps) {
      return answerOf(deps, scope, params.id, { act: 'delete', by: caller, signal: request.signal });
    },
  }),
];

/** Asks it of the session, and answers how the session is by then. */
async function answerOf(deps: ApiDeps, scope: Scope, named: string | undefined, asked: Asked) {
  const { session, isDone } = await ask(deps, scope, named, asked);
  return isDone ? toSessionStatus(session) : answer(202, toSessionStatus(session));
}

function askedBy(caller: KeyHolder, { actor, reason }: Pick<ChangedBy, 'actor' | 'reason'>) {
  return { keyId: caller.keyId, actor: actingAs(caller, actor), reason };
}
