import { z } from 'zod';
import { endpointsOf } from '../../db/automations/callable-endpoint.ts';
import { findAutomation, listAutomations, listChanges, setAutomation } from '../../db/automations/automation.ts';
import type { AutomationRow } from '../../db/automations/automation.ts';
import {
  AutomationHistory,
  AutomationView,
  DefinitionName,
  SetAutomation,
} from '../../domain/automations/automation.ts';
import { hasSession } from '../../db/sessions/session.ts';
import { EngineError, invalid, notFound } from '../../domain/error.ts';
import { Target } from '../../domain/scope.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Tx } from '../../db/tx.ts';
import { defineRoute } from '../deps.ts';
import { requireDefinition } from './begin.ts';
import { requireTenant } from '../tenants/require-tenant.ts';

const MAX_CHANGES = 100;
const params = z.object({ automation: DefinitionName });

export const automationRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/automations',
    auth: 'tenant',
    scope: 'read',
    operationId: 'automations.list',
    summary: 'List what a tenant has set of automations',
    query: z.object(Target),
    reply: z.object({
      automations: z.array(AutomationView).meta({ description: 'Those that were ever set, by name.' }),
    }),
    async handle({ scope }, { database }) {
      const found = await database.read((queries) => listAutomations(queries, scope));
      return { automations: found.map(viewOf) };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/automations/:automation',
    auth: 'tenant',
    scope: 'read',
    operationId: 'automations.read',
    summary: 'Read what a tenant has set of an automation, with its history',
    params,
    query: z.object(Target),
    reply: AutomationHistory,
    errors: ['not_found'],
    async handle({ scope, params: { automation } }, { database }) {
      return database.read(async (queries) => {
        const found = await findAutomation(queries, scope, automation);
        if (!found) throw notFound('automation', 'path/automation');
        const changes = await listChanges(queries, found.id, MAX_CHANGES);
        return { ...viewOf(found), changes: changes.map(({ at, ...change }) => ({ ...change, at: at.toISOString() })) };
      });
    },
  }),

  defineRoute({
    method: 'PUT',
    path: '/api/v1/automations/:automation',
    auth: 'tenant',
    scope: 'ai:admin',
    operationId: 'automations.set',
    summary: 'Switch an automation on or off, and set its parameters',
    description:
      'Acts within a second. It takes a session to switch one on. Runs that have begun go on with what was set when they began; once it is switched off, they ' +
      "end before their next step. Takes the dashboard's key, because it holds for all sessions of the tenant.",
    params,
    body: SetAutomation,
    reply: AutomationView,
    errors: ['forbidden', 'no_session'],
    async handle({ scope, params: { automation }, body, caller }, { database, automations }) {
      if (scope.sessionId !== null) throw new EngineError('forbidden', "Set automations with the dashboard's key.");
      const definition = requireDefinition(automations, automation, 'path/automation');
      const set = await database.transaction(async (tx) => {
        await requireTenant(tx, scope);
        if (body.enabled && !(await hasSession(tx, scope))) {
          throw new EngineError('no_session', 'Connect an account of the tenant first.');
        }
        const before = await findAutomation(tx, scope, automation);
        const configured = definition.configure(body.params ?? before?.params ?? {});
        if ('wrong' in configured) throw invalid(configured.wrong);
        await requireEndpoints(tx, scope, configured.params);
        const { keyId } = caller;
        return setAutomation(tx, scope, { definition: automation, enabled: body.enabled, keyId, ...configured });
      });
      return viewOf(set);
    },
  }),
];

const EndpointParam = z.string().startsWith('whe_');

/** Refuses the id of an endpoint that does not serve the tenant: the automation would call it in vain. */
async function requireEndpoints(tx: Tx, scope: Scope, set: Record<string, unknown>): Promise<void> {
  const named = Object.entries(set).flatMap(([name, value]) => {
    const read = EndpointParam.safeParse(value);
    return read.success ? [{ name, id: read.data }] : [];
  });
  const known = await endpointsOf(
    tx,
    scope,
    named.map(({ id }) => id),
  );
  const wrong = named.filter(({ id }) => !known.has(id));
  if (wrong.length === 0) return;
  throw invalid(wrong.map(({ name }) => ({ pointer: `/params/${name}`, message: 'names no endpoint of the tenant' })));
}

function viewOf({ definition, enabled, params: set, version, createdAt, updatedAt }: AutomationRow): AutomationView {
  return {
    automation: definition,
    enabled,
    params: set,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
