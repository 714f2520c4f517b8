import { z } from 'zod';
import { ApiKeyCreated, ApiKeyView, CreateApiKey } from '../../domain/tenants/api-key.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { findApiKeyOfAgency, insertApiKey, listApiKeys, revokeApiKey } from '../../db/tenants/api-key.ts';
import type { ApiKey } from '../../db/tenants/api-key.ts';
import { NoContent } from '../wire/answer.ts';
import { defineRoute } from '../deps.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { requireSession } from '../sessions/session-in-scope.ts';
import { KeyId } from '../../domain/ids.ts';

export const apiKeyRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/api-keys',
    auth: 'tenant',
    tags: ['API keys'],
    summary: 'Create a key that is bound to one session',
    description: 'With it, agencyId and tenantId are left out of requests. The key is shown once.',
    body: CreateApiKey,
    status: 201,
    reply: ApiKeyCreated,
    idempotent: true,
    secrets: ['apiKey'],
    errors: ['not_found', 'forbidden'],
    async handle({ scope, body, commit }) {
      // A session's key may not make keys, so that a leaked one cannot make itself successors.
      if (scope.sessionId !== null) throw new EngineError('forbidden', "This takes the dashboard's key.");
      return commit.transaction(async (tx) => {
        const session = await requireSession(tx, scope, body.sessionId);
        const { id, apiKey } = await insertApiKey(tx, {
          kind: 'session',
          agencyId: scope.agencyId,
          tenantId: scope.tenantId,
          sessionId: session.id,
          name: body.name,
          scopes: body.scopes ?? [],
          expiresAt: body.expiresAt === undefined ? null : new Date(body.expiresAt),
        });
        const key = await findApiKeyOfAgency(tx, scope.agencyId, id);
        if (!key) throw new Error('The key that was just made is not there.');
        return { ...toApiKeyView(key), apiKey };
      });
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/api-keys',
    auth: 'agency',
    tags: ['API keys'],
    summary: "List the agency's keys",
    reply: z.object({ apiKeys: z.array(ApiKeyView), hasMore: z.literal(false) }),
    async handle({ caller }, { database }) {
      const keys = await database.read((queries) => listApiKeys(queries, caller.agencyId));
      return { apiKeys: keys.map(toApiKeyView), hasMore: false as const };
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/api-keys/:id',
    auth: 'agency',
    tags: ['API keys'],
    summary: 'Revoke a key',
    description: 'Takes effect within a second.',
    params: z.object({ id: KeyId }),
    status: 204,
    reply: NoContent,
    errors: ['not_found'],
    async handle({ caller, params }, { database }) {
      const revoked = await database.transaction((tx) => revokeApiKey(tx, caller.agencyId, params.id));
      if (!revoked) throw notFound('key');
      return undefined;
    },
  }),
];

function toApiKeyView(key: ApiKey): ApiKeyView {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    agencyId: key.agencyId,
    tenantId: key.tenantId ?? null,
    sessionId: key.sessionId ?? null,
    scopes: key.scopes,
    hint: key.hint,
    createdAt: key.createdAt.toISOString(),
    expiresAt: isoOrNull(key.expiresAt),
    revokedAt: isoOrNull(key.revokedAt),
    lastUsedAt: isoOrNull(key.lastUsedAt),
  };
}
