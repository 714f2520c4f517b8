import { p } from '@mikro-orm/core';
import { z } from 'zod';

/** A timestamp arrives as text, because MikroORM's pool does not parse it. */
export const Timestamp = z
  .string()
  .transform((text) => new Date(text))
  .pipe(z.date());

/** A row whose id alone is read. */
export const IdRow = z.object({ id: z.string() });

/** The columns with which each row of a conversation says whose it is. Each entity needs builders of its own. */
export const conversationRow = () => ({
  id: p.string().primary(),
  agencyId: p.string(),
  tenantId: p.string(),
  sessionId: p.string(),
  conversationId: p.string(),
});
