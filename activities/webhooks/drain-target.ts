import type { Database } from '../../db/database.ts';
import type { DrainedEndpoint } from '../../db/webhooks/delivery.ts';
import { openHeaders, openSigningSecrets } from '../../db/webhooks/endpoint-secrets.ts';
import type { AttemptTarget } from './attempt.ts';
import { signingKeys } from './signature.ts';

/** Where and how its deliveries are posted until it is looked at again; null when its secrets do not open. */
export function targetOf(
  { secrets: box, clock }: Pick<Database, 'secrets' | 'clock'>,
  endpoint: DrainedEndpoint,
): AttemptTarget | null {
  const { id, url, timeoutMs, headers } = endpoint;
  const secrets = openSigningSecrets(box, endpoint, clock.now());
  if (secrets === null) return null;
  return { url, timeoutMs, keys: signingKeys(secrets), headers: openHeaders(box, id, headers) };
}
