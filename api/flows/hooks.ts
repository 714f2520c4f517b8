import { z } from 'zod';
import { recordChange } from '../../db/audit.ts';
import { findAutomation } from '../../db/automations/automation.ts';
import { noteInput } from '../../db/automations/input.ts';
import { ensureConversation } from '../../db/conversations/conversation.ts';
import { newId } from '../../db/engine/new-id.ts';
import { deleteHook, findHook, findHookRun, hookKey, makeHook } from '../../db/flows/hook.ts';
import type { FoundHook } from '../../db/flows/hook.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { findSessionInScope } from '../../db/sessions/session.ts';
import { DefinitionName } from '../../domain/automations/automation.ts';
import { ExecutionId } from '../../domain/automations/execution.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { Levels } from '../../domain/rate.ts';
import { WorkflowHookId } from '../../domain/ids.ts';
import { Target } from '../../domain/scope.ts';
import { beginAsked, notBegun } from '../automations/begin.ts';
import type { ApiDeps } from '../deps.ts';
import { defineRoute } from '../deps.ts';
import { addressBook } from '../sending/recipient.ts';
import { answer, NoContent } from '../wire/answer.ts';

const PATH = '/api/v1/automations/:automation/hook';
const MAX_BODY_BYTES = 65_536;
const posts = new Levels({ perMinute: 300, burst: 300 });

const params = z.object({ automation: DefinitionName });

const HookMade = z
  .object({
    url: z.url().meta({ description: 'The address. Another system posts to it.' }),
    secret: z
      .string()
      .meta({ description: 'The secret, which only this response has. Send it as `Authorization: Bearer`.' }),
  })
  .meta({ id: 'WorkflowHook', description: "The address of a tenant's workflow, with its secret." });

const HookBody = z
  .strictObject({
    to: z.string().min(1).max(128).meta({ description: 'The contact: a phone number in any spelling, or a chat id.' }),
    key: z
      .string()
      .min(1)
      .max(128)
      .meta({ description: 'Your own key of the event, such as the id of a cart. A key starts one run.' }),
    session: z.string().min(1).max(128).optional().meta({
      description: "The account that writes, by id or name. If omitted, the tenant's default.",
    }),
    data: z
      .record(z.string().min(1).max(64), z.unknown())
      .default({})
      .meta({ description: 'The data of the event, which the workflow reads as `input`.' }),
  })
  .meta({ id: 'PostToWorkflow', description: 'An event of another system.' });

const HookStarted = z
  .object({
    executionId: ExecutionId,
    isNew: z.boolean().meta({ description: 'False if the key had started it before.' }),
  })
  .meta({ id: 'WorkflowStarted', description: 'The run that the event started.' });

export const workflowHookRoutes = [
  defineRoute({
    method: 'POST',
    path: PATH,
    auth: 'tenant',
    dashboardOnly: true,
    scope: 'ai:admin',
    operationId: 'workflows.makeHook',
    summary: 'Make the webhook address of a workflow',
    description:
      'Returns the address and a new secret for the tenant; another request keeps the address and replaces the ' +
      'secret. The workflow must be on when the other system posts.',
    params,
    body: z.strictObject(Target).default({}).meta({ id: 'MakeWorkflowHook', description: 'The tenant.' }),
    status: 201,
    reply: HookMade,
    secrets: ['secret'],
    idempotent: true,
    errors: ['forbidden', 'not_found'],
    handle: ({ scope, params: { automation }, caller, commit }) =>
      commit.transaction(async (tx) => {
        if (!(await findAutomation(tx, scope, automation))) throw notFound('automation', 'path/automation');
        const { id, secret } = await makeHook(tx, scope, automation);
        const change = { of: scope, object: 'workflow_hook', objectId: automation, action: 'created' } as const;
        await recordChange(tx, change, caller);
        return answer(201, { url: `${tx.webhooks.publicUrl}/hooks/${id}`, secret });
      }),
  }),

  defineRoute({
    method: 'DELETE',
    path: PATH,
    auth: 'tenant',
    dashboardOnly: true,
    scope: 'ai:admin',
    operationId: 'workflows.deleteHook',
    summary: 'Delete the webhook address of a workflow',
    params,
    query: z.object(Target),
    status: 204,
    reply: NoContent,
    errors: ['forbidden', 'not_found'],
    async handle({ scope, params: { automation }, caller }, { database }) {
      await database.transaction(async (tx) => {
        if (!(await deleteHook(tx, scope, automation))) throw notFound('address', 'path/automation');
        const change = { of: scope, object: 'workflow_hook', objectId: automation, action: 'deleted' } as const;
        await recordChange(tx, change, caller);
      });
      return undefined;
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/hooks/:id',
    auth: 'public',
    carriesSecret: true,
    operationId: 'workflows.post',
    summary: 'Start a workflow from another system',
    description:
      'Send the secret of the address as `Authorization: Bearer <secret>`; a repetition with the same `key` returns ' +
      'the same run. The event is stored before the response, and after 429 nothing is kept.',
    params: z.object({ id: WorkflowHookId }),
    body: HookBody,
    maxBodyBytes: MAX_BODY_BYTES,
    status: 202,
    reply: HookStarted,
    errors: [
      'unauthorized',
      'no_session',
      'invalid_recipient',
      'automation_off',
      'automations_stopped',
      'too_many_runs',
    ],
    async handle({ params: { id }, body, request }, { database }) {
      const [, secret = ''] = /^Bearer (\S{1,200})$/i.exec(request.header('authorization') ?? '') ?? [];
      const hook = await database.read((queries) => findHook(queries, id, secret));
      if (!hook) throw new EngineError('unauthorized', 'Send the secret of this address as Authorization: Bearer.');
      admit(id);
      return start(database, hook, body);
    },
  }),
];

/** Counts a post to an address, or refuses it with the seconds to wait. Only posts with the secret count. */
function admit(id: string): void {
  const waitMs = posts.take(id);
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1_000);
  throw new EngineError('rate_limited', `Too many posts to this address: wait ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

async function start(database: ApiDeps['database'], hook: FoundHook, body: z.output<typeof HookBody>) {
  const { agencyId, tenantId, automation, automationId, isOn } = hook;
  const scope = { agencyId, tenantId, sessionId: null };
  if (automationId === null) throw notBegun();
  const { key, data } = body;
  const known = await database.read((queries) => findHookRun(queries, automationId, key));
  if (known !== null) return { executionId: known, isNew: false };
  if (!isOn) throw notBegun();
  const chatId = await addressBook(database, scope).chatIdOf(body.to, '/to');
  return database.transaction(async (tx) => {
    const session = await findSessionInScope(tx, scope, body.session);
    if (!session) throw new EngineError('no_session', 'Connect an account of the tenant first.');
    const conversation = await ensureConversation(tx, { ...scope, sessionId: session.id }, { chatId, asWritten: true });
    const execution = await beginAsked(tx, scope, {
      id: newId('exe'),
      automationId,
      conversationId: conversation.id,
      sessionId: session.id,
      begun: { event: 'webhook' },
      key: hookKey(key),
      isFirst: false,
    });
    if (!execution) return repeated(tx, automationId, key);
    // The error undoes the failed run, whose key would keep the same event from another attempt.
    if (execution.status === 'failed') throw noRoom(execution.reason);
    await noteInput(tx, scope, { id: execution.id, automation, input: data, key: null });
    return { executionId: execution.id, isNew: true };
  });
}

/** Runs that wait hold their places for long, and those of the last minute for a minute. */
function noRoom(reason: string | null): EngineError {
  const seconds = reason === 'too_many_running' ? 300 : 60;
  const detail = `The agency has reached its limit of runs: post the same event again in ${seconds} s.`;
  return new EngineError('too_many_runs', detail, { headers: { 'retry-after': String(seconds) } });
}

/** A post at the same moment has begun the run, or the automation has begun too often. */
async function repeated(tx: Tx, automationId: string, key: string) {
  const known = await findHookRun(tx, automationId, key);
  if (known === null) throw notBegun();
  return { executionId: known, isNew: false };
}
