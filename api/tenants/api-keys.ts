import { z } from 'zod';
import {
  ApiKeyCreated,
  ApiKeyView,
  CreateApiKey,
  CreateDashboardKey,
  RotateApiKey,
  scopesOf,
  unnamedScopes,
} from '../../domain/tenants/api-key.ts';
import type { KeyScope } from '../../domain/tenants/api-key.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { listApiKeys } from '../../db/tenants/api-key.ts';
import type { ApiKey } from '../../db/tenants/api-key.ts';
import { lockKeys, makeApiKey, revokeApiKey, rotateApiKey } from '../../db/tenants/rotate-key.ts';
import type { MadeKey } from '../../db/tenants/rotate-key.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { NoContent } from '../wire/answer.ts';
import { defineRoute } from '../deps.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { NewestCursor } from '../wire/newest-cursor.ts';
import { HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import { requireKeyScope } from '../route/key-scope.ts';
import type { KeyHolder } from '../route/caller.ts';
import { addressBook } from '../sending/recipient.ts';
import { isOnlySession } from '../../db/sessions/session-count.ts';
import { requireSession } from '../sessions/session-in-scope.ts';
import { KeyId } from '../../domain/ids.ts';

export const apiKeyRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/api-keys',
    auth: 'tenant',
    // So that a session's key that leaked cannot make itself successors.
    dashboardOnly: true,
    scope: 'keys',
    operationId: 'apiKeys.create',
    summary: 'Create a key for one session',
    description: 'Requests with this key omit agencyId and tenantId. The key is shown once.',
    body: CreateApiKey,
    status: 201,
    reply: ApiKeyCreated,
    idempotent: true,
    secrets: ['apiKey'],
    errors: ['not_found', 'forbidden', 'invalid_recipient'],
    async handle({ scope, caller, body, commit }, { database }) {
      const scopes = body.scopes ?? [];
      requireScopesToGive(caller, scopesOf('session', scopes));
      const book = addressBook(database, scope);
      const defaultRecipient =
        body.defaultRecipient === undefined ? null : await book.keptFormOf(body.defaultRecipient, '/defaultRecipient');
      return commit.transaction(async (tx) => {
        const session = await requireSession(tx, scope, body.sessionId);
        const { agencyId, tenantId } = scope;
        await requireMayChangeKeys(tx, agencyId, caller);
        const of = { kind: 'session', agencyId, tenantId, sessionId: session.id } as const;
        const mayGive = caller.scopes === 'all' || caller.scopes.includes('ai:admin');
        const given = body.scopes ?? unnamedScopes({ isOnlySession: await isOnlySession(tx, scope), mayGive });
        const wanted = { ...of, name: body.name, scopes: given, expiresAt: endOf(body), defaultRecipient };
        return toCreated(await makeApiKey(tx, wanted, caller));
      });
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/api-keys/dashboard',
    auth: 'agency',
    scope: 'keys',
    operationId: 'apiKeys.createForDashboard',
    summary: 'Create another key for the dashboard',
    description:
      'It acts for all tenants of the agency, within its `scopes`. You cannot give a key more scopes than ' +
      'your own key has.\n\nThe key is shown once.',
    body: CreateDashboardKey,
    status: 201,
    reply: ApiKeyCreated,
    idempotent: true,
    secrets: ['apiKey'],
    errors: ['forbidden'],
    async handle({ caller, body, commit }) {
      const scopes = body.scopes ?? [];
      requireScopesToGive(caller, scopesOf('dashboard', scopes));
      return commit.transaction(async (tx) => {
        await requireMayChangeKeys(tx, caller.agencyId, caller);
        const of = { kind: 'dashboard', agencyId: caller.agencyId, tenantId: null, sessionId: null } as const;
        const wanted = { ...of, name: body.name, scopes, expiresAt: endOf(body), defaultRecipient: null };
        return toCreated(await makeApiKey(tx, wanted, caller));
      });
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/api-keys',
    auth: 'agency',
    scope: 'keys',
    operationId: 'apiKeys.list',
    summary: "List the agency's keys",
    description: 'Returns the newest first, including keys that have ended.',
    query: z.object({ limit: Limit, cursor: nextPage(NewestCursor) }),
    reply: z.object({
      apiKeys: z.array(ApiKeyView).meta({ description: 'The keys on this page, including those that have ended.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ caller, query: { limit, cursor: after = null } }, { database }) {
      const found = await database.read((queries) =>
        listApiKeys(queries, caller.agencyId, { after, limit: limit + 1 }),
      );
      const { rows, ...page } = pageOf(found, limit, (last) => NewestCursor.encode(last));
      return { apiKeys: rows.map(toApiKeyView), ...page };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/api-keys/:id/rotate',
    auth: 'agency',
    scope: 'keys',
    operationId: 'apiKeys.rotate',
    summary: 'Rotate a key',
    description:
      'Creates a key with the same permissions and ends the old one after `overlapSeconds`. Keys and ' +
      'logins of the old key end with it: see `keepKeys`.\n\nThe new key is shown once.',
    params: z.object({ id: KeyId }),
    body: RotateApiKey,
    status: 201,
    reply: ApiKeyCreated,
    idempotent: true,
    secrets: ['apiKey'],
    errors: ['not_found', 'forbidden'],
    handle: ({ caller, params, body: { overlapSeconds, keepKeys, reason }, commit }) =>
      commit.transaction(async (tx) => {
        const which = { agencyId: caller.agencyId, id: params.id };
        await requireMayChangeKeys(tx, caller.agencyId, caller);
        const made = await rotateApiKey(tx, which, { overlapSeconds, keepKeys }, { ...caller, reason });
        if (!made) {
          const why = 'No working key has this id: it does not exist, was already rotated, or has ended.';
          throw new EngineError('not_found', `${why} The list of keys shows what replaced it (\`replacedBy\`).`);
        }
        requireScopesToGive(caller, scopesOf(made.key.kind, made.key.scopes));
        return toCreated(made);
      }),
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/api-keys/:id',
    auth: 'agency',
    scope: 'keys',
    operationId: 'apiKeys.revoke',
    summary: 'Revoke a key',
    description:
      "Takes effect within a second and ends all that the key made. A dashboard's last key, not counting replaced ones, cannot be revoked: rotate it instead.",
    params: z.object({ id: KeyId }),
    status: 204,
    reply: NoContent,
    errors: ['not_found', 'forbidden', 'last_key'],
    async handle({ caller, params }, { database }) {
      const which = { agencyId: caller.agencyId, id: params.id };
      // The operator may leave a dashboard without a key.
      const keepsLast = caller.kind !== 'master';
      const outcome = await database.transaction(async (tx) => {
        // A key may end itself in any case.
        const by = caller.keyId === params.id ? { keyId: 'itself' } : caller;
        await requireMayChangeKeys(tx, caller.agencyId, by);
        return revokeApiKey(tx, which, caller, { keepsLast });
      });
      if (outcome === 'unknown') throw notFound('key');
      if (outcome === 'last') {
        throw new EngineError(
          'last_key',
          'The dashboard would have no key left, because keys end with the key that made them: rotate this one instead.',
        );
      }
      return undefined;
    },
  }),
];

/** Waits for other changes of the agency's keys, and refuses a key that one of them has ended or replaced. */
export async function requireMayChangeKeys(
  tx: Tx,
  agencyId: string,
  by: Pick<KeyHolder, 'keyId' | 'login'>,
): Promise<void> {
  if (!(await lockKeys(tx, agencyId, by))) throw mayChangeNoKeys();
}

export function mayChangeNoKeys(): EngineError {
  return new EngineError('forbidden', 'This key has ended or was replaced: use its replacement.');
}

/** Nobody gives a key more than the own one has, because else any key that makes keys could do anything. */
function requireScopesToGive(caller: KeyHolder, scopes: readonly KeyScope[]): void {
  for (const scope of scopes) requireKeyScope(caller, scope);
}

function endOf({ expiresAt }: { expiresAt?: string | undefined }): Date | null {
  return expiresAt === undefined ? null : new Date(expiresAt);
}

function toCreated({ key, apiKey }: MadeKey): z.input<typeof ApiKeyCreated> {
  return { ...toApiKeyView(key), apiKey };
}

function toApiKeyView(key: ApiKey): z.input<typeof ApiKeyView> {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    agencyId: key.agencyId,
    tenantId: key.tenantId ?? null,
    sessionId: key.sessionId ?? null,
    scopes: [...scopesOf(key.kind, key.scopes)],
    defaultRecipient: key.defaultRecipient ?? null,
    hint: key.hint,
    createdAt: key.createdAt.toISOString(),
    expiresAt: isoOrNull(key.expiresAt),
    revokedAt: isoOrNull(key.revokedAt),
    madeBy: key.endsWithMaker ? (key.madeBy ?? null) : null,
    loginId: key.loginId ?? null,
    replacedBy: key.replacedBy ?? null,
    lastUsedAt: isoOrNull(key.lastUsedAt),
  };
}
