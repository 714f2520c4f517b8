import type { WorkflowHandle } from '@temporalio/client';
import { sql } from 'kysely';
import { deleteEndpoint } from '../../db/webhooks/endpoint-change.ts';
import { parseWorkflowId, workflowId } from '../../domain/names.ts';
import { anAgencyWithScopedKey, call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { CANARY } from './canary.ts';
import { findExecution, untilTimer } from './wait.ts';

/** The events of one workflow. The real engine runs it, and its history is kept for replay. */
export interface Story {
  name: string;
  tell(engine: TestEngine): Promise<WorkflowHandle>;
}

/** The signature of an operator's decision. */
export const DECISION = { actor: 'operator', reason: 'decided' };
/** The last four digits decide what the sandbox's person does (local/sandbox/people.ts). */
export const ORDINARY = '1234';
export const WEBHOOK_SECRET = 'recorded-0123456789-0123456789-0123456789';

/** Its session works and has come to rest: what is sent from now on is sent as usual. */
export async function anAgency(engine: TestEngine, name: string, dashboardUrl?: string): Promise<Agency> {
  const agencyId = `a-${name}`;
  const agency = await anAgencyWithScopedKey(engine, {
    agencyId,
    webhookSecret: WEBHOOK_SECRET,
    ...(dashboardUrl === undefined ? {} : { dashboardUrl }),
  });
  await untilTimer(supervisor(engine, agency), 'WORKING');
  return agency;
}

export function supervisor(engine: TestEngine, { session }: Agency): WorkflowHandle {
  return engine.temporal.workflow.getHandle(workflowId('superviseSession', session.id));
}

export async function anAgencyWithAgent(engine: TestEngine, name: string): Promise<Agency> {
  const agency = await anAgency(engine, name);
  const put = (path: string, body: object) =>
    call(engine, 'PUT', `/api/v1/ai-sales-agent/${path}`, { key: agency.scopedKey, body });
  await put('persona', { quietPeriodMs: 1_000 });
  await put('state', { enabled: true, mode: 'bot_active' });
  return agency;
}

export const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64, 7)]);
export const attached = (url: string): object => ({ attachments: [{ kind: 'image', url: `${url}/` }] });

/** The backend reaches the status and the engine is not told, so it sends and is refused. */
export async function loseStatus(engine: TestEngine, { session: { name } }: Agency, status: string): Promise<void> {
  await engine.control('POST', '/faults', { webhook: 'lose', count: 1, events: ['session.status'], session: name });
  await engine.control('POST', `/sessions/${name}/status`, { status });
}

export async function send(engine: TestEngine, agency: Agency, lastDigits: string, more = {}): Promise<WorkflowHandle> {
  const sent = await call(engine, 'POST', '/api/v1/messages/send', {
    key: agency.scopedKey,
    body: { to: `${CANARY.phone}${lastDigits}`, text: CANARY.text, ...more },
  });
  const handle = engine.temporal.workflow.getHandle(workflowId('deliverMessage', String(sent.body['messageId'])));
  await eventually(() => handle.describe().catch(() => undefined), { what: 'the delivery to start' });
  return handle;
}

/** A contact writes. */
export async function write(engine: TestEngine, { session }: Agency): Promise<void> {
  const from = `${CANARY.phone}${ORDINARY}`;
  const { text, name: pushName } = CANARY;
  await engine.control('POST', `/sessions/${session.name}/inbound`, { from, text, pushName });
}

export function agent(engine: TestEngine, agencyId: string): Promise<WorkflowHandle> {
  return findExecution(engine, `WorkflowType = 'aiConversation' and AgencyId = '${agencyId}'`);
}

export async function ended(handle: WorkflowHandle): Promise<WorkflowHandle> {
  await handle.result();
  return handle;
}

/** Its endpoint is deleted, so it ends. */
export async function deleted(engine: TestEngine, handle: WorkflowHandle, then: () => void): Promise<WorkflowHandle> {
  const endpointId = parseWorkflowId(handle.workflowId)?.key ?? '';
  const by = { actor: 'operator', reason: 'decided', keyId: null };
  await engine.database.transaction((tx) => deleteEndpoint(tx, endpointId, by));
  await handle.result();
  then();
  return handle;
}

/** Its row goes, as it does nowhere: the row of a session that is deleted stays. */
export async function forgetSession(engine: TestEngine, { session }: Agency): Promise<void> {
  await engine.database.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx.sql);
    await sql`delete from session where id = ${session.id}`.execute(tx.sql);
  });
}

/** Whatever reads the table fails meanwhile. */
export async function hideTable(engine: TestEngine, table: string, hidden: boolean): Promise<void> {
  const [from, to] = hidden ? [table, `${table}_hidden`] : [`${table}_hidden`, table];
  await engine.database.transaction((tx) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(tx.sql),
  );
}

/** One that a contact has begun. */
export async function aConversation(engine: TestEngine, { session }: Agency): Promise<string> {
  return eventually(
    async () => {
      const { rows } = await engine.database.read((queries) =>
        sql<{ id: string }>`
          select conversation_id as id from message where session_id = ${session.id} and direction = 'in' and origin <> 'history'
          limit 1`.execute(queries.sql),
      );
      return rows[0]?.id;
    },
    { what: 'the message of the contact' },
  );
}

export function idle(handle: WorkflowHandle): Promise<WorkflowHandle> {
  return untilTimer(handle, 'idle');
}
