import { z } from 'zod';
import { countOutdatedKeys } from '../../db/tenants/find-caller.ts';
import { resealEndpoints } from '../../db/tenants/reseal.ts';
import { EngineError } from '../../domain/error.ts';
import { EndpointId } from '../../domain/ids.ts';
import { EncryptionKeyRotated } from '../../domain/tenants/encryption-key.ts';
import { defineRoute } from '../deps.ts';

const BATCH = 100;

export const encryptionKeyRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/internal/encryption-key/rotate',
    auth: 'psk',
    operationId: 'encryptionKey.rotate',
    summary: 'Seal the next secrets with the new encryption key',
    description:
      'For `npx engine rotate-encryption-key`, which asks until all is done. It takes a batch of endpoints and may be repeated; ' +
      'what is sealed with the current key already stays as it is.',
    body: z
      .strictObject({
        after: EndpointId.nullish().meta({ description: "The last answer's `last`; begins when left out." }),
      })
      .meta({ id: 'RotateEncryptionKey', description: 'Where the batch before ended.' }),
    reply: EncryptionKeyRotated,
    errors: ['no_previous_key'],
    async handle({ body: { after = null } }, { database }) {
      if (!database.secrets.isReplacing) {
        throw new EngineError(
          'no_previous_key',
          'Start the engine with the former key as ENGINE_ENCRYPTION_KEY_PREVIOUS first.',
        );
      }
      const done = await database.transaction((tx) => resealEndpoints(tx, after, BATCH));
      return { ...done, apiKeysLeft: await database.read(countOutdatedKeys) };
    },
  }),
];
