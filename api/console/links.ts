import { z } from 'zod';
import { listConsoleLinks, revokeConsoleLink, revokeLinksOfKey } from '../../db/tenants/console-link-list.ts';
import type { ConsoleLinkRow } from '../../db/tenants/console-link-list.ts';
import { recordChange } from '../../db/audit.ts';
import { findEndpoint } from '../../db/webhooks/endpoint-view.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { CONSOLE_PAGES } from '../../domain/console/pages.ts';
import type { ConsolePage } from '../../domain/console/pages.ts';
import { ConsoleLinkCreated, ConsoleLinkView, CreateConsoleLink } from '../../domain/console/link.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { ConsoleLinkId, KeyId } from '../../domain/ids.ts';
import type { Scope } from '../../domain/scope.ts';
import { defineRoute } from '../deps.ts';
import { requireKeyScope } from '../route/key-scope.ts';
import { requireMayChangeKeys } from '../tenants/api-keys.ts';
import { requireSession } from '../sessions/session-in-scope.ts';
import { NoContent } from '../wire/answer.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { NewestCursor } from '../wire/newest-cursor.ts';
import { HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';

export const consoleLinkRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/console/links',
    auth: 'tenant',
    // A link logs in like a key, and a session's key may make neither.
    dashboardOnly: true,
    cost: 5,
    scope: 'keys',
    operationId: 'consoleLinks.create',
    summary: 'Create a console link',
    description:
      'The link shows one tenant, one of its sessions, or one webhook endpoint, and of these only the ' +
      'pages that it names. It can be opened once; the person who opened it stays logged in for ' +
      '`loginSeconds`.\n\nIt has no scope that your key lacks, and ends when it is revoked, or with the key ' +
      'or the console login that created it. With `embedIn`, your own page can show it in a frame; for ' +
      'this, the engine needs an https address.',
    body: CreateConsoleLink,
    status: 201,
    reply: ConsoleLinkCreated,
    idempotent: true,
    secrets: ['url'],
    errors: ['not_found', 'forbidden', 'endpoint_shared'],
    async handle({ scope, caller, body, commit }, { consoleLinks }) {
      const { agencyId, tenantId } = scope;
      const { name, readOnly, embedIn, loginSeconds, expiresInSeconds } = body;
      const pages = pagesOf(body);
      // A link shows something, and nobody shows what they cannot see themselves.
      requireKeyScope(caller, 'read');
      for (const each of body.scopes ?? []) requireKeyScope(caller, each);
      return commit.transaction(async (tx) => {
        await requireMayChangeKeys(tx, agencyId, caller);
        const place = { agencyId, tenantId, ...(await placeOf(tx, scope, body)) };
        const shown = { name, readOnly, pages, embedIn, loginSeconds };
        const made = await consoleLinks.make(tx, { place, ...shown, scopes: body.scopes, expiresInSeconds }, caller);
        const detail = { readOnly, pages, sessionId: place.sessionId, endpointId: place.endpointId };
        const of = { agencyId, tenantId };
        await recordChange(tx, { of, object: 'console_link', objectId: made.id, action: 'created', detail }, caller);
        const times = { createdAt: tx.now, expiresAt: made.expiresAt, usedAt: null, revokedAt: null };
        const keyId = caller.kind === 'master' ? null : caller.keyId;
        const loginId = caller.login?.id ?? null;
        return { ...viewOf({ id: made.id, keyId, loginId, ...place, ...shown, ...times }), url: made.url };
      });
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/console/links',
    auth: 'client',
    scope: 'keys',
    operationId: 'consoleLinks.list',
    summary: 'List console links',
    description: 'Returns the newest first, including links that were opened or have ended in the last 30 days.',
    query: z.object({
      keyId: KeyId.optional().meta({ description: 'Only the links that this key created.' }),
      limit: Limit,
      cursor: nextPage(NewestCursor),
    }),
    reply: z.object({
      links: z.array(ConsoleLinkView).meta({ description: 'The links on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ caller, query: { keyId = null, limit, cursor: after = null } }, { database }) {
      const found = await database.read((queries) =>
        listConsoleLinks(queries, caller.reach, { keyId, after, limit: limit + 1 }),
      );
      const { rows, ...page } = pageOf(found, limit, (last) => NewestCursor.encode(last));
      return { links: rows.map(viewOf), ...page };
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/console/links',
    auth: 'agency',
    scope: 'keys',
    operationId: 'consoleLinks.revokeOfKey',
    summary: 'Revoke all console links of a key',
    description:
      'For a key that was in the wrong hands. None of its links can be opened any more, and everybody who opened one ' +
      'is logged out within a second.',
    query: z.object({ keyId: KeyId.meta({ description: 'The key that created the links.' }) }),
    reply: z.object({ revoked: z.int().meta({ description: 'How many links it revoked.', example: 2 }) }),
    async handle({ caller, query: { keyId } }, { database }) {
      const { agencyId } = caller;
      const revoked = await database.transaction(async (tx) => {
        const links = await revokeLinksOfKey(tx, { agencyId, keyId });
        for (const { id, tenantId } of links) {
          const of = { agencyId, tenantId };
          await recordChange(tx, { of, object: 'console_link', objectId: id, action: 'revoked' }, caller);
        }
        return links.length;
      });
      return { revoked };
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/console/links/:id',
    auth: 'agency',
    scope: 'keys',
    operationId: 'consoleLinks.revoke',
    summary: 'Revoke a console link',
    description: 'The link can no longer be opened, and the person who opened it is logged out within a second.',
    params: z.object({ id: ConsoleLinkId }),
    status: 204,
    reply: NoContent,
    errors: ['not_found'],
    async handle({ caller, params: { id } }, { database }) {
      const { agencyId } = caller;
      const revoked = await database.transaction(async (tx) => {
        const link = await revokeConsoleLink(tx, { agencyId, id });
        if (link === undefined) return false;
        const of = { agencyId, tenantId: link.tenantId };
        await recordChange(tx, { of, object: 'console_link', objectId: id, action: 'revoked' }, caller);
        return true;
      });
      if (!revoked) throw notFound('link');
      return undefined;
    },
  }),
];

/** The pages that it opens, the one that is shown first at the beginning. */
function pagesOf({ sessionId, endpointId, pages }: CreateConsoleLink): [ConsolePage, ...ConsolePage[]] {
  if (endpointId !== undefined) return ['events'];
  // The agent acts for all sessions of the tenant, so a link of one session shows it only on demand.
  const usual = CONSOLE_PAGES.filter((page) => sessionId === undefined || page !== 'agent');
  const [first = 'inbox', ...rest] = new Set(pages ?? usual);
  return [first, ...rest];
}

/** Resolves the link's scope beside the tenant. An object of another tenant gets the same response as a missing one. */
async function placeOf(tx: Tx, scope: Scope, { sessionId, endpointId, readOnly }: CreateConsoleLink) {
  if (sessionId !== undefined) {
    return { sessionId: (await requireSession(tx, scope, sessionId)).id, endpointId: null };
  }
  if (endpointId === undefined) return { sessionId: null, endpointId: null };
  const endpoint = await findEndpoint(tx, scope.agencyId, endpointId);
  const hears = endpoint && (endpoint.tenantIds === null || endpoint.tenantIds.includes(scope.tenantId));
  if (!hears) throw notFound('endpoint');
  if (!readOnly && (endpoint.tenantIds === null || endpoint.tenantIds.length > 1)) {
    throw new EngineError(
      'endpoint_shared',
      "Its holder could pause other tenants' events and see their secret. Send readOnly: true, or give the " +
        'tenant its own endpoint with tenantIds.',
    );
  }
  return { sessionId: null, endpointId };
}

function viewOf(link: ConsoleLinkRow): z.input<typeof ConsoleLinkView> {
  return {
    id: link.id,
    keyId: link.keyId,
    loginId: link.loginId,
    tenantId: link.tenantId,
    sessionId: link.sessionId,
    endpointId: link.endpointId,
    name: link.name,
    readOnly: link.readOnly,
    pages: link.pages,
    embedIn: link.embedIn,
    loginSeconds: link.loginSeconds,
    createdAt: link.createdAt.toISOString(),
    expiresAt: link.expiresAt.toISOString(),
    usedAt: isoOrNull(link.usedAt),
    revokedAt: isoOrNull(link.revokedAt),
  };
}
