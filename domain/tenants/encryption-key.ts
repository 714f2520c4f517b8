import { z } from 'zod';

export const EncryptionKeyRotated = z
  .object({
    last: z.string().nullable().meta({ description: 'The last endpoint of the batch. Null if no other follows.' }),
    resealed: z.int().min(0).meta({ description: 'Endpoints whose secrets were resealed.' }),
    unreadable: z.array(z.string()).meta({
      description: 'Endpoints whose secrets neither key opens. Give each a new one with `POST …/rotate-secret`.',
    }),
    apiKeysLeft: z.int().min(0).meta({
      description:
        'API keys that work and have not been used since: they stop working when the previous key is removed.',
    }),
  })
  .meta({ id: 'EncryptionKeyRotated', description: 'The result of one batch.' });
export type EncryptionKeyRotated = z.infer<typeof EncryptionKeyRotated>;
