import { z } from 'zod';
import { Begun } from '../../domain/automations/execution.ts';
import { FlowState, SEMANTICS_VERSION, Todo } from '../../domain/flows/index.ts';
import { one, row, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { StepDetail } from '../automations/steps.ts';

const RunRow = z.object({
  flowId: z.string(),
  version: z.int(),
  semantics: z.int(),
  /** The number of the last row in `automation_step` that the task at hand writes. */
  number: z.int(),
  state: FlowState.nullable(),
  todo: Todo.nullable(),
  isDone: z.boolean(),
  isRunning: z.boolean(),
  detail: StepDetail.nullable(),
  /** The result of the task, where its step has no place for it. */
  result: z.json().nullable(),
  /** The words of the message that the task waited for. */
  reply: z.string().nullable(),
});
export type FlowRun = z.output<typeof RunRow>;

/** Reads how far a run is, with the result of the task at hand. Undefined before its first step. */
export async function findRun(queries: Pick<Queries, 'sql'>, executionId: string): Promise<FlowRun | undefined> {
  return row(queries, RunRow)`
    select r.flow_id as "flowId", r.version, r.semantics, r.number, r.state, r.todo,
      s.ended_at is not null as "isDone", e.status = 'running' as "isRunning", s.detail, r.result,
      m.body as reply
    from flow_run r join automation_execution e on e.id = r.execution_id
    left join automation_step s on s.execution_id = r.execution_id and s.number = r.number
    left join message m on m.id = s.detail->>'messageId' and m.direction = 'in'
    where r.execution_id = ${executionId}`;
}

/** Begins a run with the version of its creation. False if the workflow does not exist. */
export async function beginRun(tx: Tx, executionId: string): Promise<boolean> {
  const begun = await run(tx)`
    insert into flow_run (execution_id, flow_id, version, semantics, number)
    select e.id, f.id, coalesce(e.definition_version, f.version), ${SEMANTICS_VERSION}, 0
    from automation_execution e
    join flow f on f.id = 'flw_' || substr(e.definition, 6) and f.agency_id = e.agency_id
      and (f.deleted_at is null or f.runs_finish)
    where e.id = ${executionId}
    on conflict (execution_id) do nothing`;
  if (begun === 0) return (await findRun(tx, executionId)) !== undefined;
  await run(tx)`
    update automation_execution e set definition_version = r.version from flow_run r
    where e.id = ${executionId} and r.execution_id = e.id and e.definition_version is null`;
  return true;
}

const FactsRow = z.object({
  params: z.record(z.string(), z.unknown()),
  input: z.record(z.string(), z.unknown()).nullable(),
  begun: Begun,
  text: z.string().nullable(),
  contactName: z.string().nullable(),
  contactId: z.string().nullable(),
  conversationId: z.string().nullable(),
});

/** Reads what a run knows when it begins. The variables of its expressions start with it. */
export async function readFacts(
  queries: Pick<Queries, 'sql'>,
  executionId: string,
): Promise<z.output<typeof FactsRow> | undefined> {
  return row(queries, FactsRow)`
    select e.params - 'texts' as params, e.input, e.trigger as begun, m.body as text,
      coalesce(k.name, k.push_name) as "contactName", coalesce(c.contact_id, e.contact_id) as "contactId",
      coalesce(c.id, e.conversation_id) as "conversationId"
    from automation_execution e
    left join conversation own on own.id = e.conversation_id
    left join conversation c on c.id = conversation_now(own)
    left join contact k on k.id = coalesce(c.contact_id, e.contact_id)
    left join message m on m.id = e.trigger->>'messageId' and m.direction = 'in'
    where e.id = ${executionId}`;
}

/**
 * Stores the next task and the data before it. False if another attempt has stored it: two attempts must not take two
 * different steps.
 */
export async function keepTodo(
  tx: Tx,
  executionId: string,
  { before, number, state, todo }: { before: number; number: number; state: FlowState; todo: Todo },
): Promise<boolean> {
  const kept = await run(tx)`
    update flow_run set number = ${number}, state = ${JSON.stringify(state)}::jsonb,
      todo = ${JSON.stringify(todo)}::jsonb, result = null
    where execution_id = ${executionId} and number = ${before}
      and exists (select from automation_execution e where e.id = execution_id and e.status = 'running')`;
  return kept === 1;
}

const CallsRow = z.object({ calls: z.int() });

/** Counts a call of a run to another system, and returns the number of its tenant's calls in this hour. */
export async function countCall(tx: Tx, executionId: string): Promise<number> {
  const { calls } = await one(tx, CallsRow)`
    insert into flow_calls as f (agency_id, tenant_id, hour, calls)
    select agency_id, tenant_id, date_trunc('hour', ${tx.now}::timestamptz, 'UTC'), 1
    from automation_execution where id = ${executionId}
    on conflict (agency_id, tenant_id) do update set hour = excluded.hour,
      calls = case when f.hour = excluded.hour then f.calls + 1 else 1 end
    returning calls`;
  return calls;
}

/** Keeps the result of the task at hand. A repetition replaces it. */
export async function keepResult(
  tx: Tx,
  { executionId, number }: { executionId: string; number: number },
  result: object,
): Promise<void> {
  await run(tx)`
    update flow_run set result = ${JSON.stringify(result)}::jsonb
    where execution_id = ${executionId} and number = ${number}
      and exists (select from automation_execution e where e.id = execution_id and e.status = 'running')`;
}
