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
import { recordChange } from '../../db/audit.ts';
import { hasSession } from '../../db/sessions/session.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { Target } from '../../domain/scope.ts';
import { defineRoute } from '../deps.ts';
import { requireDefinition } from './begin.ts';
import { changesOf } from './changes.ts';
import { changeOf, isSwitchOff, readSetting } from './setting.ts';
import { requireTenant } from '../require-tenant.ts';

const MAX_CHANGES = 100;
const params = z.object({ automation: DefinitionName });

export const automationRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/automations',
    auth: 'tenant',
    scope: 'read',
    operationId: 'automations.list',
    summary: "List a tenant's automation settings",
    query: z.object(Target),
    reply: z.object({
      automations: z.array(AutomationView).meta({ description: 'The automations that were ever set, sorted by name.' }),
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
    summary: "Read a tenant's setting of an automation",
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
    dashboardOnly: true,
    scope: 'ai:admin',
    operationId: 'automations.set',
    summary: 'Set an automation and its parameters',
    description:
      'Takes effect within a second. Switching an automation on requires a session.\n\nRuns that have begun ' +
      'continue with the settings from when they began; once the automation is switched off, they end ' +
      'before their next step. It applies to all sessions of the tenant.',
    params,
    body: SetAutomation,
    reply: AutomationView,
    errors: ['forbidden', 'no_session'],
    async handle({ scope, params: { automation }, body, caller }, deps) {
      const { database } = deps;
      const named = { name: automation, pointer: 'path/automation' };
      const definition = await requireDefinition(deps, scope.agencyId, named);
      const set = await database.transaction(async (tx) => {
        await requireTenant(tx, scope);
        if (body.enabled && !(await hasSession(tx, scope))) {
          throw new EngineError('no_session', 'Connect an account of the tenant first.');
        }
        const before = await lockAutomation(tx, scope, automation);
        const change = { of: scope, object: 'automation', objectId: automation, action: 'changed' } as const;
        await recordChange(tx, { ...change, detail: changeOf(before, body) }, caller);
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
    dashboardOnly: true,
    scope: 'ai:admin',
    operationId: 'automations.followDefault',
    summary: 'Reset an automation to the agency default',
    description:
      "Deletes the tenant's own setting, so the tenant follows the agency default. Without a default, the " +
      'automation is off.\n\nThis applies once the response arrives, now and after each later change of the ' +
      'default. The history keeps what was set before. Repeating it changes nothing.',
    params,
    query: z.object(Target),
    reply: AutomationView,
    errors: ['forbidden', 'not_found'],
    async handle({ scope, params: { automation: definition }, caller }, { database }) {
      const found = await database.transaction(async (tx) => {
        const followed = await followAgency(tx, scope, { definition, keyId: caller.keyId });
        const change = { of: scope, object: 'automation', objectId: definition, action: 'deleted' } as const;
        if (followed) await recordChange(tx, change, caller);
        return followed;
      });
      if (!found) throw notFound('automation', 'path/automation');
      return viewOf(found);
    },
  }),
];

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
