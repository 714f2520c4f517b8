import { z } from 'zod';
import { PSK } from '../../test/support/keys.ts';

export const agencyId = 'acme';
export const tenantId = 'shop';
export const SECRET = 'a-secret-of-32-characters-or-more';
export const psk = { authorization: `PSK ${PSK}` };
export const Made = z.object({ id: z.string(), name: z.string().optional() });
export const Sent = z.object({ messageId: z.string(), conversationId: z.string(), contactId: z.string().nullable() });
