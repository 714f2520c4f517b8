import { z } from 'zod';
import { IdRow } from '../engine/columns.ts';
import { lockConversation } from '../conversations/conversation.ts';
import type { Database } from '../engine/database.ts';
import { insertTold } from '../promises.ts';
import { row, rows, run } from '../engine/rows.ts';
import { endMessage } from './outcome.ts';
import type { TenantScope } from '../../domain/scope.ts';
import type { Tx } from '../engine/tx.ts';

const TakenRow = z.object({ id: z.string(), agencyId: z.string(), waits: z.boolean() });

/**
 * Notes in the runs of a conversation that somebody takes it over, so that they say nothing from then on, even after a
 * release; those that wait are told to look again. It is noted in a run that has ended, too, while a message of it is
 * on its way: the claim asks the run when the message comes back to the queue. None of them has the conversation any
 * more, so none can give it back, also of those that speak beside people. A run that hands its own conversation over
 * (`except`) goes on. A run keeps the id of a conversation that was merged, so those of merged conversations are looked
 * for, too. Needs the conversation's lock, under which each step of a run asks whether it may go on.
 */
export async function noteTakenOver(tx: Tx, conversationId: string, except: string | null): Promise<void> {
  const taken = await rows(tx, TakenRow)`
    update automation_execution set taken_over_at = coalesce(taken_over_at, ${tx.now}), conversation_epoch = null
    where id = any(array(select id from automation_execution
      where id in (
        select id from automation_execution where status = 'running' and conversation_id in (
          select own.id from ids_of_conversation(${conversationId}) as own(id))
        union all select execution_id from message
        where conversation_id = ${conversationId} and via = 'automation' and status = 'sending')
        and (taken_over_at is null or conversation_epoch is not null) and id is distinct from ${except}
      order by id for no key update))
    returning id, agency_id as "agencyId", status = 'running' and waits_for is not null as waits`;
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

const RunsRow = z.object({ hasRuns: z.boolean() });

/**
 * Ends what automations have queued in a conversation or would still say there, because a person has done something in
 * it. The conversation changes no hands. Takes the conversation's lock.
 */
export async function noteActOfPerson(tx: Tx, conversationId: string): Promise<void> {
  const into = await lockConversation(tx, conversationId);
  const found = await row(tx, RunsRow)`
    select exists (select 1 from automation_execution e where e.status = 'running' and e.conversation_id in (
        select own.id from ids_of_conversation(${into}) as own(id)))
      or exists (select 1 from message m
        where m.conversation_id = ${into} and m.via = 'automation' and m.status in ('queued', 'sending')) as "hasRuns"`;
  if (found?.hasRuns === true) await endRuns(tx, into);
}

/**
 * Ends the runs of a conversation as a takeover does. A message that is on its way and comes back to the queue is
 * refused at its next claim, because it is noted in its run. Needs the conversation's lock.
 */
export async function endRuns(tx: Tx, conversationId: string): Promise<null> {
  await noteTakenOver(tx, conversationId, null);
  await cancelSaidByRuns(tx, conversationId, null);
  return null;
}

/**
 * Ends the runs in all conversations of a tenant that a person has taken over as a whole, and what ended runs have left
 * in the queue. Each conversation has its own transaction, so that no takeover of another waits. A run that begins
 * meanwhile finds the tenant taken over.
 */
export async function endRunsOfTenant(
  database: Pick<Database, 'read' | 'transaction'>,
  { agencyId, tenantId }: TenantScope,
): Promise<void> {
  const found = await database.read(
    (queries) => rows(queries, IdRow)`
      select distinct conversation_now(c) as id from (
        select conversation_id from automation_execution
        where agency_id = ${agencyId} and tenant_id = ${tenantId} and status = 'running'
        union all select m.conversation_id from session s
        join message m on m.session_id = s.id and m.via = 'automation' and m.status in ('queued', 'sending')
        where s.agency_id = ${agencyId} and s.tenant_id = ${tenantId}) said
      join conversation c on c.id = said.conversation_id
      join tenant t on t.agency_id = ${agencyId} and t.id = ${tenantId}
      where t.ai_mode = 'human_takeover'
      order by 1`,
  );
  for (const { id } of found) await database.transaction((tx) => noteActOfPerson(tx, id));
}
