import { z } from 'zod';

/** More than other lists, because the specification has no bound and a client must not lose rows behind one. */
const MAX_ROWS = 1_000;

/** The paging of the specification's two inbox lists. */
export const InboxPage = {
  limit: z.coerce.number().int().min(1).max(MAX_ROWS).default(20).meta({
    description: 'The maximum number of rows, 1 to 1,000.',
  }),
  offset: z.coerce.number().int().min(0).max(100_000).default(0).meta({
    description: 'How many rows to skip first, 0 to 100,000. A `cursor` reads a long list faster.',
  }),
};
