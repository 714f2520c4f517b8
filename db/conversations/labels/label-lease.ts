import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { one, run } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';

export interface LabelledChat {
  sessionId: string;
  chatId: string;
}

interface Lease {
  forMs: number;
  /** Automations start nothing by what they change. */
  byAutomation?: boolean;
}

/**
 * Leases the sole right to change a chat's labels. Null while another request has it. The right is a row and no lock,
 * because it is held while the backend is called.
 */
export async function takeLabelLease(
  tx: Tx,
  { sessionId, chatId }: LabelledChat,
  { forMs, byAutomation = false }: Lease,
): Promise<string | null> {
  const token = randomUUID();
  const taken = await run(tx)`
    insert into label_lease as t (session_id, chat_id, token, leased_until, by_automation)
    values (${sessionId}, ${chatId}, ${token}, clock_timestamp() + ${forMs} * interval '1 millisecond', ${byAutomation})
    on conflict (session_id, chat_id) do update
      set token = excluded.token, leased_until = excluded.leased_until, by_automation = excluded.by_automation
    where t.leased_until < clock_timestamp()`;
  return taken > 0 ? token : null;
}

/** Gives the right back, and wakes who waits for it. It does nothing where another request has the right by now. */
export async function giveBackLabelLease(tx: Tx, { sessionId, chatId }: LabelledChat, token: string): Promise<void> {
  await run(tx)`
    delete from label_lease where session_id = ${sessionId} and chat_id = ${chatId} and token = ${token}`;
  tx.wake('message', sessionId);
}

const HeldRow = z.object({ isHeld: z.boolean() });

/**
 * Tells whether an automation changes the chat's labels at the moment. The row of a worker that was killed stays, so a
 * lease counts only as long as news of the change may come late.
 */
export async function isChangedByAutomation(
  queries: Pick<Queries, 'sql'>,
  { sessionId, chatId }: LabelledChat,
): Promise<boolean> {
  const { isHeld } = await one(queries, HeldRow)`
    select exists (select 1 from label_lease
      where session_id = ${sessionId} and chat_id = ${chatId} and by_automation
        and leased_until > clock_timestamp() - interval '1 minute') as "isHeld"`;
  return isHeld;
}
