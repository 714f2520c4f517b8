import { z } from 'zod';
import { recordChange } from '../../db/audit.ts';
import { lockDefaults } from '../../db/automations/lock-defaults.ts';
import { definitionOfFlow, readOutline } from '../../db/flows/definition.ts';
import {
  addVersion,
  createFlow,
  deleteFlow,
  findFlow,
  FLOWS_OF_AGENCY,
  hasRoom,
  listFlows,
  listVersions,
  lockFlow,
  readSource,
} from '../../db/flows/flow.ts';
import type { FlowRow, FlowText } from '../../db/flows/flow.ts';
import { countTenants, reconfigureTenants, switchTenantsOff } from '../../db/flows/tenants.ts';
import type { Refused } from '../../db/flows/tenants.ts';
import type { Queries, Tx } from '../../db/engine/tx.ts';
import { automationOfFlow } from '../../domain/automations/name.ts';
import { EngineError, invalid, notFound } from '../../domain/error.ts';
import { definitionOf, outlineOf, paramsSchema } from '../../domain/flows/index.ts';
import type { FlowOutline } from '../../domain/flows/index.ts';
import { WorkflowDefinitionId } from '../../domain/ids.ts';
import { MAX_DEFINITION_BODY_BYTES, readDefinition, requireFlow } from '../automations/flow-text.ts';
import { defineRoute } from '../deps.ts';
import { answer, NoContent } from '../wire/answer.ts';
import { HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import {
  ChangeWorkflow,
  CopyWorkflow,
  shownFlow,
  shownVersion,
  WorkflowCheck,
  WorkflowStory,
  WorkflowView,
  WriteWorkflow,
} from './views.ts';

const PATH = '/api/v1/workflows';
const MAX_VERSIONS = 100;
const BOUNDS = `${FLOWS_OF_AGENCY.count} workflows with definitions of ${FLOWS_OF_AGENCY.bytes / 1_048_576} MiB in all`;

const params = z.object({ id: WorkflowDefinitionId });

export const workflowRoutes = [
  defineRoute({
    method: 'GET',
    path: PATH,
    auth: 'agency',
    scope: 'read',
    operationId: 'workflows.list',
    summary: "List an agency's workflows",
    query: z.object({ limit: Limit, cursor: nextPage(WorkflowDefinitionId) }),
    reply: z.object({
      workflows: z.array(WorkflowView).meta({ description: 'The workflows of this page, the oldest first.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ caller: { agencyId }, query: { limit, cursor = null } }, { database }) {
      const page = { after: cursor, limit: limit + 1 };
      const found = await database.read((queries) => listFlows(queries, agencyId, page));
      const { rows, ...rest } = pageOf(found, limit, ({ id }) => id);
      return { workflows: rows.map(shownFlow), ...rest };
    },
  }),

  defineRoute({
    method: 'POST',
    path: `${PATH}/validate`,
    auth: 'agency',
    scope: 'read',
    cost: 5,
    operationId: 'workflows.validate',
    summary: 'Check the definition of a workflow',
    description: 'Returns each problem with its place in the definition. Stores nothing.',
    body: WriteWorkflow,
    maxBodyBytes: MAX_DEFINITION_BODY_BYTES,
    reply: WorkflowCheck,
    handle({ body }) {
      const read = readDefinition(body);
      if ('problems' in read) return { valid: false, problems: [...read.problems], params: null };
      return { valid: true, problems: [], params: z.toJSONSchema(paramsSchema(read.flow), { io: 'input' }) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: PATH,
    auth: 'agency',
    scope: 'ai:admin',
    cost: 5,
    operationId: 'workflows.create',
    summary: 'Create a workflow',
    description:
      `Stores a definition as version 1, which runs once a tenant switches it on. An agency has at most ${BOUNDS}; ` +
      'to import one, send the `source` and `form` of another.',
    body: WriteWorkflow,
    maxBodyBytes: MAX_DEFINITION_BODY_BYTES,
    status: 201,
    reply: WorkflowView,
    location: 'The workflow.',
    idempotent: true,
    errors: ['workflow_limit'],
    handle({ caller, body, commit }) {
      const { text } = requireFlow(body);
      return commit.transaction((tx) => create(tx, caller, text));
    },
  }),

  defineRoute({
    method: 'GET',
    path: `${PATH}/:id`,
    auth: 'agency',
    scope: 'read',
    operationId: 'workflows.read',
    summary: 'Read a workflow with its text and versions',
    params,
    reply: WorkflowStory,
    errors: ['not_found'],
    handle: ({ caller: { agencyId }, params: { id } }, { database }) =>
      database.read(async (queries) => {
        const flow = await requireStored(queries, agencyId, id);
        const { source, form } = await requireText(queries, flow);
        const outline = await requireOutline(queries, flow);
        const versions = await listVersions(queries, id, MAX_VERSIONS);
        return {
          ...shownFlow(flow),
          source,
          definition: definitionOf(source, form),
          params: z.toJSONSchema(paramsSchema(outline), { io: 'input' }),
          tenants: await countTenants(queries, agencyId, automationOfFlow(id)),
          versions: versions.map(shownVersion),
        };
      }),
  }),

  defineRoute({
    method: 'PUT',
    path: `${PATH}/:id`,
    auth: 'agency',
    scope: 'ai:admin',
    cost: 5,
    operationId: 'workflows.update',
    summary: 'Store a new version of a workflow',
    description:
      'New runs take the new version within a second; runs that have begun keep theirs. Refused if a tenant that has ' +
      'switched it on has parameters that the version does not accept.',
    params,
    body: ChangeWorkflow,
    maxBodyBytes: MAX_DEFINITION_BODY_BYTES,
    reply: WorkflowView,
    errors: ['not_found', 'workflow_limit'],
    async handle({ caller, params: { id }, body }, { database }) {
      const { agencyId, keyId } = caller;
      const { flow, text } = requireFlow(body);
      return database.transaction(async (tx) => {
        await lockDefaults(tx, agencyId);
        const before = await lockFlow(tx, agencyId, id);
        if (!before) throw notFound('workflow', 'path/id');
        if (body.basedOn !== undefined && body.basedOn !== before.version) throw newerThan(before.version);
        if (!(await hasRoom(tx, agencyId, { source: text.source, id }))) throw noRoom();
        const definition = definitionOfFlow(outlineOf(flow), before.version + 1);
        const of = { agencyId, automation: automationOfFlow(id), keyId };
        const refused = await reconfigureTenants(tx, of, (set) => definition.configure(set));
        if (refused) throw refusedBy(refused);
        const stored = await addVersion(tx, before, { ...text, keyId });
        const detail = { version: stored.version };
        await recordChange(
          tx,
          { of: { agencyId }, object: 'workflow', objectId: id, action: 'changed', detail },
          caller,
        );
        return shownFlow(stored);
      });
    },
  }),

  defineRoute({
    method: 'POST',
    path: `${PATH}/:id/copy`,
    auth: 'agency',
    scope: 'ai:admin',
    operationId: 'workflows.copy',
    summary: 'Copy a workflow',
    description: 'Creates a workflow with the text of the current version. No tenant has switched it on.',
    params,
    body: CopyWorkflow,
    status: 201,
    reply: WorkflowView,
    location: 'The new workflow.',
    idempotent: true,
    errors: ['not_found', 'workflow_limit'],
    handle: ({ caller, params: { id }, commit }) =>
      commit.transaction(async (tx) => {
        const flow = await requireStored(tx, caller.agencyId, id);
        const text = await requireText(tx, flow);
        const outline = await requireOutline(tx, flow);
        return create(tx, caller, { title: flow.title, outline, ...text });
      }),
  }),

  defineRoute({
    method: 'DELETE',
    path: `${PATH}/:id`,
    auth: 'agency',
    scope: 'ai:admin',
    operationId: 'workflows.delete',
    summary: 'Delete a workflow',
    description: 'Switches it off for all tenants first. No run begins after the response.',
    params,
    query: z.object({
      runs: z
        .enum(['end', 'finish'])
        .default('end')
        .meta({ description: 'Whether runs in progress end before their next step, or continue to their end.' }),
    }),
    status: 204,
    reply: NoContent,
    errors: ['not_found'],
    async handle({ caller, params: { id }, query: { runs } }, { database }) {
      const { agencyId, keyId } = caller;
      await database.transaction(async (tx) => {
        await lockDefaults(tx, agencyId);
        if (!(await lockFlow(tx, agencyId, id))) throw notFound('workflow', 'path/id');
        // First, so that runs which are woken by the switch read that they may finish.
        await deleteFlow(tx, id, { runsFinish: runs === 'finish' });
        await switchTenantsOff(tx, { agencyId, automation: automationOfFlow(id), keyId });
        const change = { of: { agencyId }, object: 'workflow', objectId: id, action: 'deleted' } as const;
        await recordChange(tx, { ...change, detail: { runs } }, caller);
      });
      return undefined;
    },
  }),
];

async function create(tx: Tx, caller: { agencyId: string; keyId: string; actor?: string }, text: FlowText) {
  const { agencyId, keyId } = caller;
  const stored = await createFlow(tx, agencyId, { ...text, keyId });
  if (stored === null) throw noRoom();
  const change = { of: { agencyId }, object: 'workflow', objectId: stored.id, action: 'created' } as const;
  await recordChange(tx, change, caller);
  return answer(201, shownFlow(stored), { location: `${PATH}/${stored.id}` });
}

const noRoom = () =>
  new EngineError('workflow_limit', `An agency can have ${BOUNDS}: delete a workflow that is not needed.`);

async function requireStored(queries: Queries, agencyId: string, id: string): Promise<FlowRow> {
  const found = await findFlow(queries, agencyId, id);
  if (!found) throw notFound('workflow', 'path/id');
  return found;
}

async function requireText(queries: Queries, { id, version }: FlowRow): Promise<Omit<FlowText, 'title'>> {
  const text = await readSource(queries, id, version);
  if (!text) throw new Error(`Workflow ${id} has no version ${version}.`);
  return text;
}

async function requireOutline(queries: Queries, { agencyId, id }: FlowRow): Promise<FlowOutline> {
  const outline = await readOutline(queries, agencyId, id);
  if (!outline) throw new Error(`Workflow ${id} has no outline.`);
  return outline;
}

function newerThan(version: number): EngineError {
  const message = `is another version than the stored one, which is ${version}`;
  return invalid({ pointer: '/basedOn', message }, 'Read the workflow again, and repeat your change.');
}

/** Names the tenant and the parameters that the new version refuses. */
function refusedBy({ tenantId, wrong }: Refused): EngineError {
  const whose = tenantId === null ? "The agency's default" : `Tenant ${tenantId}`;
  const named = wrong.map(({ pointer, message }) => `${pointer} ${message}`).join('; ');
  const message = `does not fit parameters that are set. ${whose}: ${named}`;
  return invalid({ pointer: '/definition', message }, 'Change the parameters or switch the workflow off first.');
}
