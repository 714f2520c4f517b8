import { ApiKeyCreated, CreateApiKey } from '../../domain/api-key.ts';
import { EngineError } from '../../domain/error.ts';
import { findApiKeyOfAgency, insertApiKey } from '../../db/api-key.ts';
import { answer } from '../answer.ts';
import { defineRoute } from '../deps.ts';
import { isoOrNull } from '../iso-time.ts';
import { requireSession } from '../session-in-scope.ts';

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
    errors: ['not_found', 'forbidden'],
    async handle({ scope, body }, { database }) {
      // A leaked session key must not be able to make itself successors.
      if (scope.sessionId !== null) throw new EngineError('forbidden', "This takes the dashboard's key.");
      const created = await database.transaction(async (tx) => {
        const session = await requireSession(tx, scope, body.sessionId);
        const { id, apiKey } = await insertApiKey(tx, {
          kind: 'session',
          agencyId: scope.agencyId,
          tenantId: scope.tenantId,
          sessionId: session.id,
          name: body.name,
          expiresAt: body.expiresAt === undefined ? null : new Date(body.expiresAt),
        });
        const key = await findApiKeyOfAgency(tx, scope.agencyId, id);
        if (!key) throw new Error('The key that was just made is not there.');
        return { key, apiKey };
      });
      const { key, apiKey } = created;
      return answer(201, {
        id: key.id,
        kind: key.kind,
        name: key.name,
        agencyId: key.agencyId,
        tenantId: key.tenantId ?? null,
        sessionId: key.sessionId ?? null,
        hint: key.hint,
        createdAt: key.createdAt.toISOString(),
        expiresAt: isoOrNull(key.expiresAt),
        revokedAt: isoOrNull(key.revokedAt),
        lastUsedAt: isoOrNull(key.lastUsedAt),
        apiKey,
      });
    },
  }),
];
