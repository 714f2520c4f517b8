import { EngineError } from '../../domain/error.ts';
import type { ErrorCode } from '../../domain/error.ts';
import type { Scope } from '../../domain/scope.ts';
import { SessionStatus } from '../../domain/session.ts';
import { AskNamedSession, AskSession } from '../../domain/sessions/ask.ts';
import { answer } from '../wire/answer.ts';
import { defineRoute } from '../deps.ts';
import type { ApiDeps } from '../deps.ts';
import { ask } from './ask.ts';
import type { Asked } from './ask.ts';
import { SessionPath } from './session-path.ts';
import { toSessionStatus } from './session-status.ts';

/** What the routes have in common; the status says what has come of it, or `pending` what has not. */
const ofLifecycle = {
  auth: 'tenant' as const,
  cost: 5,
  scope: 'sessions' as const,
  reply: SessionStatus,
  statuses: { 202: 'It is recorded and will be done; `pending` names it.' },
  errors: ['not_found', 'session_not_ready'] satisfies ErrorCode[],
};

const WAITS =
  'The answer waits some seconds for the backend. Where that takes longer it is 202 with `pending`: it is done all the ' +
  'same, and the event `session.status` tells of it.';
const RESTARTS =
  `Stops the session and starts it again, with its login: for one that hangs. One that is stopped is started. Sends ` +
  `that are on their way end first, and the others wait. ${WAITS}`;
const LOGS_OUT =
  'Forgets the login: the account is gone until somebody scans a QR code again. The backend forgets its messages with ' +
  'it, by which the engine finds out what became of a send whose answer was lost, so such sends are settled first; after ' +
  `ten minutes they end as \`uncertain\`. What is queued waits for the next account of this session. ${WAITS}`;

export const lifecycleRoutes = [
  defineRoute({
    ...ofLifecycle,
    method: 'POST',
    path: '/api/v1/sessions/restart',
    operationId: 'sessions.restartNamed',
    summary: "Restart the key's session",
    description: `Or the session that the body names, or the tenant's default session. ${RESTARTS}`,
    body: AskNamedSession,
    handle: ({ scope, body, caller, request }, deps) =>
      answerOf(deps, scope, body.session, { act: 'restart', by: { ...caller, ...body }, signal: request.signal }),
  }),

  defineRoute({
    ...ofLifecycle,
    method: 'POST',
    path: '/api/v1/sessions/logout',
    operationId: 'sessions.logoutNamed',
    summary: "Log the key's session out",
    description: `Or the session that the body names, or the tenant's default session. ${LOGS_OUT}`,
    body: AskNamedSession,
    handle: ({ scope, body, caller, request }, deps) =>
      answerOf(deps, scope, body.session, { act: 'logout', by: { ...caller, ...body }, signal: request.signal }),
  }),

  defineRoute({
    ...ofLifecycle,
    method: 'POST',
    path: '/api/v1/sessions/:id/start',
    operationId: 'sessions.start',
    summary: 'Start a session',
    description:
      'One that was stopped, or that the engine has given up; one that was logged out shows a QR code. A session that ' +
      `runs stays as it is. ${WAITS}`,
    params: SessionPath,
    body: AskSession,
    handle: ({ scope, params, body, caller, request }, deps) =>
      answerOf(deps, scope, params.id, { act: 'start', by: { ...caller, ...body }, signal: request.signal }),
  }),

  defineRoute({
    ...ofLifecycle,
    method: 'POST',
    path: '/api/v1/sessions/:id/stop',
    operationId: 'sessions.stop',
    summary: 'Stop a session',
    description:
      'It keeps its login, and stays stopped until somebody starts it. Sends that are on their way end first; what is ' +
      `queued waits until then, or expires. ${WAITS}`,
    params: SessionPath,
    body: AskSession,
    handle: ({ scope, params, body, caller, request }, deps) =>
      answerOf(deps, scope, params.id, { act: 'stop', by: { ...caller, ...body }, signal: request.signal }),
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
      answerOf(deps, scope, params.id, { act: 'restart', by: { ...caller, ...body }, signal: request.signal }),
  }),

  defineRoute({
    ...ofLifecycle,
    method: 'POST',
    path: '/api/v1/sessions/:id/logout',
    operationId: 'sessions.logout',
    summary: 'Log a session out',
    description: LOGS_OUT,
    params: SessionPath,
    body: AskSession,
    handle: ({ scope, params, body, caller, request }, deps) =>
      answerOf(deps, scope, params.id, { act: 'logout', by: { ...caller, ...body }, signal: request.signal }),
  }),

  defineRoute({
    ...ofLifecycle,
    method: 'DELETE',
    path: '/api/v1/sessions/:id',
    operationId: 'sessions.delete',
    summary: 'Delete a session',
    description:
      'The account is logged out and the session is gone, for good: from this answer on every other request about it is ' +
      '404, its keys open nothing, and its name is not given again. Where it was the default, the oldest of the others ' +
      'is. What was queued or scheduled ends as `failed` with the reason `session_deleted`, and what is on its way is ' +
      `settled first. Conversations and messages stay. It takes the dashboard's key. ${WAITS}`,
    params: SessionPath,
    errors: ['not_found', 'forbidden'],
    async handle({ scope, params, caller, request }, deps) {
      if (scope.sessionId !== null) throw new EngineError('forbidden', "This takes the dashboard's key.");
      return answerOf(deps, scope, params.id, { act: 'delete', by: caller, signal: request.signal });
    },
  }),
];

/** Asks it of the session, and answers how the session is by then. */
async function answerOf(deps: ApiDeps, scope: Scope, named: string | undefined, asked: Asked) {
  const { session, isDone } = await ask(deps, scope, named, asked);
  return isDone ? toSessionStatus(session) : answer(202, toSessionStatus(session));
}
