import { z } from 'zod';
import type { SendLimits } from '../../../domain/sending/send-limits.ts';
import { one, run } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import { WORKERS_LOCK } from '../../engine/notifications.ts';

/** Every process writes the limits at its start, so all processes use the same. */
export async function writeSendLimits(tx: Tx, { perSession, perBackend }: SendLimits): Promise<void> {
  await run(tx)`
    update pace_default set sends_per_session = ${perSession}, sends_per_backend = ${perBackend}
    where (sends_per_session, sends_per_backend) is distinct from (${perSession}::int, ${perBackend}::int)`;
}

const Share = z.object({ sends: z.int() });

/** Returns the sends that one worker may have in flight, so that all running workers keep to the backend's limit. */
export async function findShareOfSends(queries: Queries): Promise<number> {
  const { sends } = await one(queries, Share)`
    select greatest(1, d.sends_per_backend / greatest(1, (
      select count(distinct l.pid)::int from pg_locks l
      where l.locktype = 'advisory' and l.objsubid = 2 and l.granted and l.classid = ${WORKERS_LOCK.space}::oid
        and l.objid = ${WORKERS_LOCK.key}::oid
        and l.database = (select oid from pg_database where datname = current_database())))) as sends
    from pace_default d where d.one`;
  return sends;
}
