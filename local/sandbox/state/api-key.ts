import { z } from 'zod';

/** The permissions of a key for one session; without this field, a key may do everything but delete. */
export const Actions = z.object({
  read: z.boolean().default(true),
  send: z.boolean().default(true),
  control: z.boolean().default(true),
  setting: z.boolean().default(true),
  app: z.boolean().default(true),
  delete: z.boolean().default(false),
});
export type Actions = z.infer<typeof Actions>;

/** A key that the backend has made: the administrator's, or one session's. */
export const ApiKey = z.object({
  id: z.string(),
  key: z.string(),
  isActive: z.boolean(),
  isAdmin: z.boolean(),
  session: z.string().nullable(),
  actions: Actions.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;
