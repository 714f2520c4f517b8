import { z } from 'zod';
import {
  findAutomation,
  followAgency,
  listAutomations,
  listChanges,
  lockAutomation,
  setAutomation,
  switchOff,
} from '../../db/automations/automation.ts';
import type { AutomationRow } from '../../db/automations/automation.ts';
import {
  AutomationHistory,
  AutomationView,
  DefinitionName,
  SetAutomation,
} from '../../domain/automations/automation.ts';
import { hasSession } from '../../db/sessions/session.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { Target } from '../../domain/scope.ts';
import type { Scope } from '../../domain/scope.ts';
import { defineRoute } from '../deps.ts';
import { requireDefinition } from './begin.ts';
import { changesOf } from './changes.ts';
import { isSwitchOff, readSetting } from './setting.ts';
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
        return { ...viewOf(found), changes: changesOf(changes) };
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
      requireWholeTenant(scope);
      const definition = requireDefinition(automations, automation, 'path/automation');
      const set = await database.transaction(async (tx) => {
        await requireTenant(tx, scope);
        if (body.enabled && !(await hasSession(tx, scope))) {
          throw new EngineError('no_session', 'Connect an account of the tenant first.');
        }
        const before = await lockAutomation(tx, scope, automation);
        const { keyId } = caller;
        if (before && isSwitchOff(body)) return switchOff(tx, scope, { definition: automation, keyId });
        const configured = await readSetting(tx, scope, definition, body.params ?? before?.params);
        return setAutomation(tx, scope, { definition: automation, enabled: body.enabled, keyId, ...configured });
      });
      return viewOf(set);
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/automations/:automation',
    auth: 'tenant',
    scope: 'ai:admin',
    operationId: 'automations.followDefault',
    summary: "Have an automation of a tenant as the agency's default is",
    description:
      'Forgets what the tenant has set itself. From the answer on it is as the agency has set it for all its tenants, now ' +
      'and with each later change, and off where the agency has set nothing. What was set before stays in its history. ' +
      'Repeating it changes nothing.',
    params,
    query: z.object(Target),
    reply: AutomationView,
    errors: ['forbidden', 'not_found'],
    async handle({ scope, params: { automation: definition }, caller: { keyId } }, { database }) {
      requireWholeTenant(scope);
      const found = await database.transaction((tx) => followAgency(tx, scope, { definition, keyId }));
      if (!found) throw notFound('automation', 'path/automation');
      return viewOf(found);
    },
  }),
];

function requireWholeTenant({ sessionId }: Scope): void {
  if (sessionId !== null) throw new EngineError('forbidden', "Set automations with the dashboard's key.");
}

function viewOf({ definition, createdAt, updatedAt, ...row }: AutomationRow): AutomationView {
  return {
    automation: definition,
    enabled: row.enabled,
    params: row.params,
    version: row.version,
    followsAgency: row.followsAgency,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
