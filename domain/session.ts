import { z } from 'zod';
import { ExternalId } from './scope.ts';

/** Statuses seen at the backend; an open set, so it is text and not an enum. */
export const WORKING = 'WORKING';

const SessionName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,160}$/, 'must be letters, digits, hyphens or underscores')
  .meta({ description: "The session's name at the backend." });

export const CreateSession = z
  .object({
    agencyId: ExternalId.optional(),
    tenantId: ExternalId.optional(),
    name: SessionName.optional(),
    default: z.boolean().optional().meta({ description: 'Whether the tenant uses it when a request names none.' }),
  })
  .meta({ id: 'CreateSession' });

/** The spec's session status object, with our ids. */
export const SessionStatus = z
  .object({
    status: z.string(),
    phone: z.string().nullable(),
    accountName: z.string().nullable(),
    platform: z.string().nullable(),
    id: z.string(),
    name: z.string(),
    agencyId: z.string(),
    tenantId: z.string(),
    default: z.boolean(),
    statusChangedAt: z.iso.datetime(),
    lastError: z.string().nullable(),
  })
  .meta({ id: 'SessionStatus' });
export type SessionStatus = z.infer<typeof SessionStatus>;

/** The spec's session details object. */
export const SessionDetails = z
  .object({
    pushname: z.string().nullable(),
    platform: z.string().nullable(),
    wid: z.object({ server: z.string(), user: z.string(), _serialized: z.string() }),
  })
  .meta({ id: 'SessionDetails' });
