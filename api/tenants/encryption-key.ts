import { z } from 'zod';
import { countOutdatedKeys } from '../../db/tenants/find-caller.ts';
import type { Database } from '../../db/engine/database.ts';
import { resealFlowSecrets } from '../../db/flows/secret.ts';
import { resealPeppers } from '../../db/personal-data/erased-pepper.ts';
import { resealEndpoints } from '../../db/tenants/reseal.ts';
import { EngineError } from '../../domain/error.ts';
import { EndpointId } from '../../domain/ids.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { EncryptionKeyRotated } from '../../domain/tenants/encryption-key.ts';
import { defineRoute } from '../deps.ts';

const BATCH = 100;
const PEPPERS = 500;

export const encryptionKeyRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/internal/encryption-key/rotate',
    auth: 'psk',
    operationId: 'encryptionKey.rotate',
    summary: 'Rotate the encryption key',
    description:
      'Re-encrypts a batch of endpoints for `./engine rotate-encryption-key`. Each request is safe to ' +
      'repeat.\n\nThe command repeats the request until all secrets use the current key. Secrets that do so ' +
      'already stay unchanged.',
    body: z
      .strictObject({
        after: EndpointId.nullish().meta({ description: 'The `last` of the previous response. Omit it to begin.' }),
      })
      .meta({ id: 'RotateEncryptionKey', description: 'The end of the previous batch.' }),
    reply: EncryptionKeyRotated,
    errors: ['no_previous_key'],
    async handle({ body: { after = null } }, { database }) {
      if (!database.secrets.isReplacing) {
        throw new EngineError(
          'no_previous_key',
          'Start the engine with the former key as ENGINE_ENCRYPTION_KEY_PREVIOUS first.',
        );
      }
      // The peppers of erased addresses and the secrets of workflows are few and small, so the first request seals all.
      if (after === null) await resealAllPeppers(database);
      if (after === null) await database.transaction(resealFlowSecrets);
      const done = await database.transaction((tx) => resealEndpoints(tx, after, BATCH));
      return { ...done, apiKeysLeft: await database.read(countOutdatedKeys) };
    },
  }),
];

async function resealAllPeppers(database: Pick<Database, 'transaction'>): Promise<void> {
  const batch = (from: TenantScope | null): Promise<{ last: TenantScope | null }> =>
    database.transaction((tx) => resealPeppers(tx, from, PEPPERS));
  for (let { last } = await batch(null); last !== null;) ({ last } = await batch(last));
}
