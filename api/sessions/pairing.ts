import { z } from 'zod';
import { endConnectLink, findConnectLink, makeConnectLink } from '../../db/sessions/connect-link.ts';
import { askSession } from '../../db/operations/ask-session.ts';
import { recordChange } from '../../db/audit.ts';
import { AskPairingCode, ConnectLink, ConnectLinkView, MakeConnectLink, PairingCode } from '../../domain/pairing.ts';
import { isDown } from '../../domain/sessions/recovery.ts';
import { defineRoute } from '../deps.ts';
import type { KeyHolder } from '../route/caller.ts';
import { endOfMade, isByLink, makerOf } from '../route/maker-seen.ts';
import { answer, NoContent } from '../wire/answer.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { IF_ABLE_ERRORS } from './at-backend.ts';
import { pairingCodeFor } from './connect/pairing-code.ts';
import { requireUnconnected } from './readiness.ts';
import { requireSession, sessionInScope } from './session-in-scope.ts';
import { SessionPath } from './session-path.ts';

export const pairingRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/sessions/:id/pairing-code',
    auth: 'tenant',
    cost: 10,
    scope: 'sessions',
    operationId: 'sessions.requestPairingCode',
    summary: 'Get a pairing code for the phone',
    description:
      'Returns a code that connects a phone without scanning. It works while the status is `SCAN_QR_CODE`; ' +
      'otherwise it returns 409 `session_not_ready`.\n\nThe phone shows a notice each time, so request a ' +
      'code when its owner is there. The network expires a code after a few minutes.',
    params: SessionPath,
    body: AskPairingCode,
    reply: PairingCode,
    errors: [...IF_ABLE_ERRORS],
    async handle({ scope, params, body }, deps) {
      const session = await sessionInScope(deps.database, scope, params.id);
      return { sessionId: session.id, ...(await pairingCodeFor(session, body.phone, deps)) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/sessions/:id/connect-link',
    auth: 'tenant',
    cost: 5,
    scope: 'sessions',
    operationId: 'sessions.createConnectLink',
    summary: 'Create a link to connect an account',
    description:
      'Creates a link for the owner of the phone. Its page shows the QR code, renews it, shows a pairing ' +
      'code on request and says when the account is connected.\n\nThe link contains no key, works until ' +
      '`expiresAt`, only in the first browser that opens it, and connects one account once. A new link for ' +
      'the session ends the previous one. A session that is stopped or has failed is started; if it is ' +
      'already connected, the response is 409 `session_not_ready`.',
    params: SessionPath,
    body: MakeConnectLink,
    status: 201,
    reply: ConnectLink,
    idempotent: true,
    secrets: ['url'],
    errors: ['not_found', 'session_not_ready'],
    async handle({ scope, params, body, caller, commit }, { database, connectLinks }) {
      return commit.transaction(async (tx) => {
        const session = await requireSession(tx, scope, params.id);
        requireUnconnected(session);
        const wantedMs = database.clock.now().getTime() + body.expiresInSeconds * 1_000;
        const expiresAt = endOfMade(caller, new Date(wantedMs));
        // Its page would wait for a code for ever.
        if (isDown(session.status)) await askSession(tx, session, { act: 'start', by: caller });
        const linkId = await makeConnectLink(tx, { sessionId: session.id, maker: makerOf(caller), expiresAt });
        const change = { of: scope, object: 'session', objectId: session.id, action: 'changed' } as const;
        await recordChange(tx, { ...change, detail: { fields: ['connectLink'] } }, caller);
        const made = { sessionId: session.id, url: connectLinks.urlOf(linkId), expiresAt: expiresAt.toISOString() };
        return answer(201, made);
      });
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:id/connect-link',
    auth: 'tenant',
    scope: 'sessions',
    operationId: 'sessions.getConnectLink',
    summary: "Get a session's connect link",
    description:
      'Returns when it was created and by which key, without its address. A person with a console link ' +
      'sees only their own links.',
    params: SessionPath,
    reply: z.object({ link: ConnectLinkView.nullable().meta({ description: 'Null if no link works.' }) }),
    errors: ['not_found'],
    async handle({ scope, params, caller }, { database }) {
      const session = await sessionInScope(database, scope, params.id);
      const maker = makerSeenBy(caller);
      const found = await database.read((queries) => findConnectLink(queries, session.id, maker));
      if (found === undefined) return { link: null };
      const link = {
        sessionId: found.sessionId,
        madeBy: found.madeBy,
        loginId: found.loginId,
        createdAt: found.createdAt.toISOString(),
        expiresAt: found.expiresAt.toISOString(),
        openedAt: isoOrNull(found.openedAt),
        connectedAt: isoOrNull(found.connectedAt),
      };
      return { link };
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/sessions/:id/connect-link',
    auth: 'tenant',
    scope: 'sessions',
    operationId: 'sessions.endConnectLink',
    summary: "End a session's connect link",
    description:
      'Its page stops working at once, also in the browser that opened it. Safe to repeat.\n\nA person with ' +
      'a console link ends only their own links.',
    params: SessionPath,
    status: 204,
    reply: NoContent,
    errors: ['not_found'],
    async handle({ scope, params, caller }, { database }) {
      await database.transaction(async (tx) => {
        const session = await requireSession(tx, scope, params.id);
        if (!(await endConnectLink(tx, session.id, makerSeenBy(caller)))) return;
        const change = { of: scope, object: 'session', objectId: session.id, action: 'changed' } as const;
        await recordChange(tx, { ...change, detail: { fields: ['connectLink'] } }, caller);
      });
      return undefined;
    },
  }),
];

/** Whoever controls the session sees the link of any maker; who came by a link of the console sees its own alone. */
function makerSeenBy(caller: KeyHolder): string | null {
  return isByLink(caller) ? caller.keyId : null;
}
