import { z } from 'zod';
import { SessionRef } from '../ids.ts';
import { ExternalId } from '../scope.ts';

/**
 * What a session's key may do beyond acting for its session. `ai:admin`: set the agent's state and persona, and the
 * facts about the tenant, which hold for all sessions of the tenant.
 */
export const KEY_SCOPES = ['ai:admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export const CreateApiKey = z
  .object({
    agencyId: ExternalId.optional(),
    tenantId: ExternalId.optional(),
    sessionId: SessionRef.optional().meta({
      description: "A session id or name; the tenant's default session when left out.",
    }),
    name: z.string().min(1).max(100),
    scopes: z
      .array(z.enum(KEY_SCOPES))
      .max(KEY_SCOPES.length)
      .optional()
      .meta({
        description:
          'What the key may do beyond acting for its session; nothing when left out. `ai:admin`: set the state and the persona ' +
          'of the AI sales agent and the facts about the tenant, which hold for all sessions of the tenant.',
      }),
    expiresAt: z.iso
      .datetime({ offset: true })
      .refine((at) => Date.parse(at) > Date.now(), 'must be in the future')
      .optional(),
  })
  .meta({ id: 'CreateApiKey' });

export const KEY_KINDS = ['session', 'dashboard'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export const ApiKeyView = z
  .object({
    id: z.string(),
    kind: z.enum(KEY_KINDS),
    name: z.string(),
    agencyId: z.string(),
    tenantId: z.string().nullable(),
    sessionId: z.string().nullable(),
    scopes: z.array(z.enum(KEY_SCOPES)).meta({ description: "What a session's key may do beyond acting for it." }),
    hint: z.string().meta({ description: 'The first characters of the key, to tell keys apart.' }),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    revokedAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKeyView = z.infer<typeof ApiKeyView>;

export const ApiKeyCreated = ApiKeyView.extend({
  apiKey: z.string().meta({ description: 'Shown once; store it now.' }),
}).meta({ id: 'ApiKeyCreated' });
