import { z } from 'zod';
import { ConsoleLinkId, ConsoleLoginId } from '../ids.ts';

export const ConsoleLoginView = z
  .object({
    id: ConsoleLoginId,
    keyId: z.string().nullable().meta({
      description: 'The key that logged in, or that created the link. Null if the master key created the link.',
    }),
    linkId: z.string().nullable().meta({ description: 'The link that was opened. Null for a login by key.' }),
    tenantId: z.string().nullable().meta({ description: 'The only tenant that it shows. Null for all of the agency.' }),
    createdAt: z.iso.datetime().meta({ description: 'When it was created.' }),
    expiresAt: z.iso.datetime().meta({ description: 'When it ends by itself.' }),
  })
  .meta({ id: 'ConsoleLogin', description: 'A browser that is logged in to the console.' });

export const OperatorLoginView = z
  .object({
    id: z
      .union([ConsoleLoginId, ConsoleLinkId])
      .meta({ description: 'The id of the login, or of the link of a ticket.' }),
    linkId: z.string().nullable().meta({ description: 'The link of `npm start`. Null for a login by the master key.' }),
    isTicket: z.boolean().meta({ description: 'True for a ticket that nobody has opened.' }),
    createdAt: z.iso.datetime().meta({ description: 'When it was created.' }),
    expiresAt: z.iso.datetime().meta({ description: 'When it ends by itself.' }),
  })
  .meta({ id: 'OperatorLogin', description: "A browser of the operator's, or a ticket for one." });
