import { statusesBetween, statusOfAck } from '../../../domain/network/ack.ts';
import type { AckLevel } from '../../../domain/network/ack.ts';
import { run } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import { emitAck } from './event.ts';
import type { MovedMessage } from './event.ts';

/** From this level on the message has arrived. */
export const DELIVERED = 2;

/** A level that a message has reached, and that is not written yet. */
export interface Raise {
  message: MovedMessage;
  level: AckLevel;
  status: string;
  history: { status: string; reason: string | null }[];
}

/**
 * Raises the message to the level of an ack and tells the dashboard; {@link writeRaises} writes it. Levels never fall,
 * so an ack of a level that the message has reached already raises nothing.
 */
export function raise(tx: Tx, message: MovedMessage, level: AckLevel): Raise[] {
  const status = statusOfAck(level);
  const before = message.ack ?? -1;
  if (status === null || level <= before) return [];
  const moved = status !== message.status;
  const reached = [
    // Level 1 means only that the message was sent, which its history says already, so only levels above it are
    // implied.
    ...statusesBetween(before < 1 ? 1 : before, level).map((name) => ({
      status: name,
      reason: 'implied_by_a_later_ack',
    })),
    { status, reason: null },
  ];
  message.ack = level;
  message.status = status;
  if (moved) emitAck(tx, message, status);
  tx.wake('message', message.id);
  return [{ message, level, status, history: moved ? reached : [] }];
}

/** Writes what acks have raised, with its history, in one statement however many there are. No workflow is told. */
export async function writeRaises(tx: Tx, raises: readonly Raise[]): Promise<void> {
  if (raises.length === 0) return;
  const byMessage = [...Map.groupBy(raises, ({ message }) => message.id).values()];
  const raised = byMessage.flatMap((own) => {
    const last = own.at(-1);
    const history = own.flatMap((each) => each.history);
    return last === undefined ? [] : [{ id: last.message.id, level: last.level, status: last.status, history }];
  });
  await run(tx)`
    with told as (
      select * from jsonb_to_recordset(${JSON.stringify(raised)}::jsonb)
        as t(id text, level smallint, status text, history jsonb)
    ), raised as (
      update message m set ack = t.level, status = t.status,
        sent_at = coalesce(m.sent_at, ${tx.now}),
        delivered_at = case when t.level >= 2 then coalesce(m.delivered_at, ${tx.now}) else m.delivered_at end,
        read_at = case when t.level >= 3 then coalesce(m.read_at, ${tx.now}) else m.read_at end,
        played_at = case when t.level >= 4 then coalesce(m.played_at, ${tx.now}) else m.played_at end,
        updated_at = ${tx.now}
      from told t where m.id = t.id and m.id = any(${raised.map(({ id }) => id)}::text[])
    )
    insert into message_history (message_id, at, status, reason)
    select t.id, ${tx.now}, h.step->>'status', h.step->>'reason'
    from told t cross join lateral jsonb_array_elements(t.history) with ordinality h(step, place)
    order by t.id, h.place`;
}
