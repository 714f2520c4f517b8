import { z } from 'zod';
import {
  countFollowers,
  findDefault,
  listDefaultChanges,
  listDefaults,
  setDefault,
  switchDefaultOff,
} from '../../db/automations/agency-default.ts';
import { recordChange } from '../../db/audit.ts';
import { lockDefaults } from '../../db/automations/lock-defaults.ts';
import type { AutomationDefaultRow } from '../../db/automations/agency-default.ts';
import {
  AutomationDefaultHistory,
  AutomationDefaultView,
  DefinitionName,
  SetAutomationDefault,
} from '../../domain/automations/automation.ts';
import { notFound } from '../../domain/error.ts';
import { defineRoute } from '../deps.ts';
import { requireDefinition } from './begin.ts';
import { changesOf } from './changes.ts';
import { isSwitchOff, readSetting, changeOf } from './setting.ts';

const MAX_CHANGES = 100;
const params = z.object({ automation: DefinitionName });

export const automationDefaultRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/automation-defaults',
    auth: 'agency',
    scope: 'read',
    operationId: 'automations.listDefaults',
    summary: "List an agency's automation settings",
    reply: z.object({
      defaults: z
        .array(AutomationDefaultView)
        .meta({ description: 'The automations that were ever set, sorted by name.' }),
    }),
    async handle({ caller: { agencyId } }, { database }) {
      const found = await database.read((queries) => listDefaults(queries, agencyId));
      return { defaults: found.map(viewOf) };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/automation-defaults/:automation',
    auth: 'agency',
    scope: 'read',
    operationId: 'automations.readDefault',
    summary: "Read an agency's setting of an automation",
    params,
    reply: AutomationDefaultHistory,
    errors: ['not_found'],
    handle: ({ caller: { agencyId }, params: { automation: definition } }, { database }) =>
      database.read(async (queries) => {
        const found = await findDefault(queries, agencyId, definition);
        if (!found) throw notFound('automation', 'path/automation');
        const changes = await listDefaultChanges(queries, { agencyId, definition }, MAX_CHANGES);
        const followers = await countFollowers(queries, agencyId, definition);
        return { ...viewOf(found), followers, changes: changesOf(changes) };
      }),
  }),

  defineRoute({
    method: 'PUT',
    path: '/api/v1/automation-defaults/:automation',
    auth: 'agency',
    scope: 'ai:admin',
    cost: 5,
    operationId: 'automations.setDefault',
    summary: "Set an automation for an agency's tenants",
    description:
      'Sets the automation for all tenants without their own setting, including later tenants. Takes ' +
      'effect within a second.\n\nAn endpoint that it names must serve all tenants of the agency. If you ' +
      'switch it off without `params`, it keeps its parameters. A default stays once it is set: if it is ' +
      'switched off, it is off for every tenant that follows it.',
    params,
    body: SetAutomationDefault,
    reply: AutomationDefaultView,
    async handle({ caller, params: { automation }, body }, deps) {
      const { database } = deps;
      const { agencyId, keyId } = caller;
      const named = { name: automation, pointer: 'path/automation' };
      const definition = await requireDefinition(deps, agencyId, named);
      const set = await database.transaction(async (tx) => {
        await lockDefaults(tx, agencyId);
        const change = { of: { agencyId }, object: 'automation', objectId: automation, action: 'changed' } as const;
        const before = await findDefault(tx, agencyId, automation);
        await recordChange(tx, { ...change, detail: changeOf(before, body) }, caller);
        if (before && isSwitchOff(body)) return switchDefaultOff(tx, agencyId, { definition: automation, keyId });
        const setFor = { agencyId, tenantId: null };
        const configured = await readSetting(tx, setFor, definition, body.params ?? before?.params);
        return setDefault(tx, agencyId, { definition: automation, enabled: body.enabled, keyId, ...configured });
      });
      return viewOf(set);
    },
  }),
];

function viewOf({ definition, createdAt, updatedAt, ...row }: AutomationDefaultRow): AutomationDefaultView {
  return { automation: definition, ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
