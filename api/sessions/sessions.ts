import { z } from 'zod';
import type { SessionPlace } from '../../adapters/backend/backends.ts';
import { EngineError } from '../../domain/error.ts';
import {
  CreateSession,
  SCAN_QR_CODE,
  SessionCreated,
  SessionDetails,
  SessionStatus,
} from '../../domain/sessions/session.ts';
import { promiseSession } from '../../db/sessions/session-workflow.ts';
import { findSessionByName, insertSession, lockDefaultSession } from '../../db/sessions/session.ts';
import { countSessions } from '../../db/sessions/session-count.ts';
import { listAiAdminKeys } from '../../db/tenants/ai-admin-keys.ts';
import { recordChange } from '../../db/audit.ts';
import type { Session } from '../../db/sessions/session.ts';
import { requireTenant } from '../require-tenant.ts';
import { answer, binary } from '../wire/answer.ts';
import { enter } from '../wire/doors.ts';
import { defineRoute } from '../deps.ts';
import { toSessionStatus } from './session-status.ts';
import type { ApiDeps } from '../deps.ts';
import { isFreeWord } from '../passthrough/names.ts';
import { AT_BACKEND_ERRORS, doorOf } from './at-backend.ts';
import { placeFor } from './place.ts';
import { requireOursAtBackend, requireSession, sessionInScope } from './session-in-scope.ts';
import { ExpandOfBackend, SessionPath, SessionQuery } from './session-path.ts';
import { isDerivedForAnother } from '../../domain/session-name.ts';

const NO_CODE_WAIT_MS = 2_000;
const NAME_CHECK_MS = 2_000;
const QR_PLACE_WAIT_MS = 1_000;
/** Names the cure for each cause, so that it does not tell which it is. */
const NAME_TAKEN =
  'Choose another session name, or omit it. If it is a session that the messaging backend already has, the operator ' +
  'can take it over with `"adopt": true` and the master key.';

const QrCode = z.union([
  z.object({
    mimetype: z.literal('image/png').meta({ description: 'The media type of the image.' }),
    data: z.string().meta({ description: 'The image in base64.' }),
  }),
  z.object({ value: z.string().meta({ description: 'The text of the code, for a page that draws it.' }) }),
]);

export const sessionRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/sessions',
    auth: 'tenant',
    dashboardOnly: true,
    cost: 10,
    scope: 'sessions',
    takesUnknownTenant: true,
    operationId: 'sessions.create',
    location: 'The session.',
    summary: 'Connect a messaging account',
    description:
      "Creates a session and starts to connect it; read its QR code next. Without `name`, a tenant's " +
      'existing session is returned (200).\n\nA second session needs a name; keys of the first keep their ' +
      'scopes, and `aiAdminKeys` lists those that may set the agent of both. A name that the messaging ' +
      'backend already uses for something else is taken.',
    body: CreateSession,
    status: 201,
    statuses: { 200: 'The request named no session, and the tenant already had one.' },
    reply: SessionCreated,
    idempotent: true,
    errors: ['name_taken', 'forbidden', 'tenant_limit'],
    async handle({ scope, body, caller, commit }, { backends, database }) {
      if (body.adopt === true && caller.kind !== 'master') {
        throw new EngineError('forbidden', 'Only the master key may take over a session that the backend already has.');
      }
      if (body.backend !== undefined && caller.kind !== 'master') {
        throw new EngineError('forbidden', 'Only the master key may choose the backend of a session.');
      }
      const { name, adopt = false } = body;
      const backend = await placeFor(body, { database, backends });
      if (name !== undefined) {
        if (!isFreeWord(name) || isDerivedForAnother(name, scope)) throw nameTaken();
        if (!adopt && (await isForeign({ backend, name }, { database, backends }))) throw nameTaken();
      }
      return commit.transaction(async (tx) => {
        await requireTenant(tx, scope);
        const known = name === undefined ? await lockDefaultSession(tx, scope) : null;
        if (known !== null) return answer(200, toSessionStatus(known), { location: `/api/v1/sessions/${known.id}` });
        const id = await insertSession(tx, scope, { ...body, backend });
        if (id === null) throw nameTaken();
        await promiseSession(tx, id);
        const change = { of: scope, object: 'session', objectId: id, action: 'created', detail: { adopt } } as const;
        await recordChange(tx, change, caller);
        const session = await requireSession(tx, scope, id);
        const isAnother = (await countSessions(tx, scope)) > 1;
        const aiAdminKeys = isAnother ? { aiAdminKeys: await listAiAdminKeys(tx, scope) } : {};
        return answer(201, { ...toSessionStatus(session), ...aiAdminKeys }, { location: `/api/v1/sessions/${id}` });
      });
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/status',
    auth: 'tenant',
    takesUnknownTenant: true,
    scope: 'read',
    operationId: 'sessions.readStatus',
    summary: 'Retrieve the status of a session',
    query: SessionQuery,
    reply: SessionStatus,
    errors: ['not_found'],
    async handle({ scope, query }, { database }) {
      return toSessionStatus(await sessionInScope(database, scope, query.session));
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/me',
    auth: 'tenant',
    takesUnknownTenant: true,
    cost: 2,
    scope: 'read',
    operationId: 'sessions.readAccount',
    summary: 'Retrieve the connected account',
    query: SessionQuery,
    reply: SessionDetails,
    errors: ['not_found', 'session_not_ready'],
    async handle({ scope, query }, { database }) {
      const session = await sessionInScope(database, scope, query.session);
      const [user, server] = (session.chatId ?? '').split('@');
      if (!session.chatId || !user || !server) {
        throw new EngineError('session_not_ready', 'No account is connected yet: scan the QR code of the session.');
      }
      return {
        pushname: session.pushName ?? null,
        platform: session.platform ?? null,
        wid: { server, user, _serialized: session.chatId },
      };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:id',
    auth: 'tenant',
    scope: 'read',
    operationId: 'sessions.read',
    summary: 'Retrieve a session',
    params: SessionPath,
    query: ExpandOfBackend,
    reply: SessionStatus,
    errors: ['not_found'],
    async handle({ scope, params }, { database }) {
      return toSessionStatus(await sessionInScope(database, scope, params.id));
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:id/qr',
    auth: 'tenant',
    cost: 2,
    scope: 'sessions',
    operationId: 'sessions.readQr',
    summary: 'Get the QR code to scan',
    description:
      'Returns the QR code as PNG, JSON or raw value, by `Accept` and `format`. Outside `SCAN_QR_CODE` it ' +
      'returns 409 `session_not_ready`.\n\nPNG is the default; `application/json` gives base64; `format=raw` ' +
      'or `text/plain` gives the raw value. The 409 comes within about two seconds.',
    params: SessionPath,
    query: z.object({
      format: z
        .enum(['png', 'json', 'raw'])
        .optional()
        .meta({
          description:
            'The format of the response, regardless of `Accept`: the image, the image as base64, or the text of the ' +
            'code.',
        }),
    }),
    reply: QrCode,
    contentTypes: { 'image/png': 'The QR code as an image.', 'text/plain': 'The value of the QR code.' },
    errors: [...AT_BACKEND_ERRORS],
    async handle({ scope, params, query, request }, { database, backends, qrReads }) {
      const session = await sessionInScope(database, scope, params.id);
      requireOursAtBackend(session);
      // Each read may hold a connection to the backend for seconds.
      const leave = await enter([doorOf(qrReads, session)], QR_PLACE_WAIT_MS);
      try {
        return await qrOf(session, { query, accept: request.header('accept') ?? '*/*', backends });
      } finally {
        leave();
      }
    },
  }),
];

interface QrAsked {
  query: { format?: 'png' | 'json' | 'raw' | undefined };
  accept: string;
  backends: ApiDeps['backends'];
}

async function qrOf(session: Session, { query, accept, backends }: QrAsked) {
  const backend = backends.of(session);
  // A row without SCAN_QR_CODE may be out of date, so the engine asks the backend all the same, but waits only
  // briefly; the backend answers at once when it has a code.
  const waitMs = session.status === SCAN_QR_CODE ? undefined : NO_CODE_WAIT_MS;
  if (query.format === 'raw') return { value: await backend.getQrRaw(session.name, waitMs) };
  if (query.format === undefined && accept.startsWith('text/plain')) {
    return binary('text/plain; charset=utf-8', Buffer.from(await backend.getQrRaw(session.name, waitMs)));
  }
  const png = await backend.getQr(session.name, waitMs);
  const json = query.format === 'json' || (query.format === undefined && accept.startsWith('application/json'));
  return json ? { mimetype: 'image/png' as const, data: png.toString('base64') } : binary('image/png', png);
}

/**
 * Tells whether the backend has a session of this name that the engine does not know. A backend that does not answer is
 * not waited for, because it is asked again when the session is connected.
 */
async function isForeign(
  place: SessionPlace,
  { database, backends }: Pick<ApiDeps, 'database' | 'backends'>,
): Promise<boolean> {
  // A name that the engine knows is either taken or that of a request which is repeated; the transaction tells.
  if ((await database.read((queries) => findSessionByName(queries, place.name))) !== null) return false;
  return (
    (await backends
      .of(place)
      .getSession(place.name, NAME_CHECK_MS)
      .catch(() => null)) !== null
  );
}

/** Makes the one error for each name that cannot be had, so that it does not tell who has it. */
function nameTaken(): EngineError {
  return new EngineError('name_taken', NAME_TAKEN);
}
