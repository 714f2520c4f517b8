import { z } from 'zod';
import { FORMER_WAKEUPS } from './engine/notifications.ts';
import { one } from './engine/rows.ts';
import type { Queries } from './engine/tx.ts';

const Connected = z.object({ isConnected: z.boolean() });

/**
 * Tells whether a process of the release before slices is connected to this database. Its worker does not know the
 * slice's workflow, whose tasks would fail there.
 */
export async function isFormerProcessConnected(queries: Queries): Promise<boolean> {
  const { isConnected } = await one(queries, Connected)`
    select exists (select 1 from pg_stat_activity
      where datname = current_database() and application_name = ${FORMER_WAKEUPS}) as "isConnected"`;
  return isConnected;
}
