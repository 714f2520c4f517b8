import { z } from 'zod';
import type { Described } from './operation.ts';

/** The tenant of all examples, which is also the tenant of the guides. */
export const EXAMPLE_TENANT = 'shop';

type Examples = Record<string, { summary: string; value: unknown }>;

/**
 * Makes the examples of a request's body: one for each kind of key that the route takes, because a dashboard's key names
 * the tenant and a session's key does not.
 */
export function requestExamples({ auth, body, example, errors }: Described): Examples | undefined {
  const given = example?.body;
  if (typeof given !== 'object' || given === null) return undefined;
  const namesTenant = auth === 'tenant' && body instanceof z.ZodObject && 'tenantId' in body.shape;
  if (!namesTenant) return { request: { summary: 'Request', value: given } };
  const dashboard = {
    summary: "With a dashboard's key, which names the tenant",
    value: { tenantId: EXAMPLE_TENANT, ...given },
  };
  if (example?.refusesSessionKey) return { dashboard };
  const scoped = errors?.includes('forbidden') ? ' that has the scope for it' : '';
  return { dashboard, session: { summary: `With a session's key${scoped}`, value: given } };
}
