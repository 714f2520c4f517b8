import { z } from 'zod';
import { IdRow } from '../columns.ts';
import { insertTold } from '../promises.ts';
import { rows, run } from '../rows.ts';
import { endMessage } from '../sending/outcome.ts';
import type { Tx } from '../tx.ts';

const TakenRow = z.object({ id: z.string(), agencyId: z.string(), waits: z.boolean() });

/**
 * Notes in the runs of a conversation that somebody takes it over, so that they say nothing from then on, even after a
 * release; those that wait are told to look again. A run that hands its own conversation over (`except`) goes on.
 * A run keeps the id of a conversation that was merged, so those of merged conversations are looked for, too. Needs the
 * conversation's lock, under which each step of a run asks whether it may go on.
 */
export async function noteTakenOver(tx: Tx, conversationId: string, except: string | null): Promise<void> {
  const taken = await rows(tx, TakenRow)`
    update automation_execution set taken_over_at = ${tx.now}
    where id = any(array(select id from automation_execution
      where conversation_id in (
          select ${conversationId}::text union all select id from conversation where merged_into = ${conversationId})
        and status = 'running' and taken_over_at is null and id is distinct from ${except}
      order by id for no key update))
    returning id, agency_id as "agencyId", waits_for is not null as waits`;
  const waiting = taken.filter(({ waits }) => waits);
  if (waiting.length === 0) return;
  await run(tx)`${insertTold(
    'runAutomation',
    'changed',
    waiting.map(({ id, agencyId }) => ({ key: id, agencyId })),
  )}`;
  tx.wake('dispatch');
}

/**
 * Ends what runs have said and what has not gone out yet, except what is said beside people, and what the run that
 * hands over (`except`) has said. The claim refuses it only as long as a person has the conversation. Needs the
 * conversation's lock.
 */
export async function cancelSaidByRuns(tx: Tx, conversationId: string, except: string | null): Promise<void> {
  const found = await rows(tx, IdRow)`
    select m.id from message m
    where m.conversation_id = ${conversationId} and m.via = 'automation' and m.status = 'queued'
      and m.conversation_epoch is not null
      and not exists (select 1 from automation_step s
        where s.execution_id = ${except} and s.detail->>'messageId' = m.id)
    order by m.chat_seq for update of m`;
  for (const { id } of found) await endMessage(tx, id, { status: 'cancelled', reason: 'taken_over', detail: null });
}

/** Ends the runs of a conversation for a person who has written there, as a takeover does. Needs its lock. */
export async function endRuns(tx: Tx, conversationId: string): Promise<null> {
  await noteTakenOver(tx, conversationId, null);
  await cancelSaidByRuns(tx, conversationId, null);
  return null;
}
