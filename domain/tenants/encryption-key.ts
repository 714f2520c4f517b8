import { z } from 'zod';

export const EncryptionKeyRotated = z
  .object({
    last: z.string().nullable().meta({ description: 'The last endpoint of the batch. Null when none comes after it.' }),
    resealed: z.int().min(0).meta({ description: 'Endpoints whose secrets were sealed anew.' }),
    unreadable: z.array(z.string()).meta({
      description: 'Endpoints whose secrets neither key opens. Give each a new one: `POST …/rotate-secret`.',
    }),
    apiKeysLeft: z.int().min(0).meta({
      description: 'API keys that work and were not used since: they end when the previous key is taken away.',
    }),
  })
  .meta({ id: 'EncryptionKeyRotated', description: 'What one batch has done.' });
export type EncryptionKeyRotated = z.infer<typeof EncryptionKeyRotated>;
