import type { z } from 'zod';
import { ALL_AGENCIES, isAgency, listStops, resumeAutomations, stopAutomations } from '../../db/automations/stop.ts';
import type { AutomationStop } from '../../db/automations/stop.ts';
import type { ChangedBy } from '../../db/audit.ts';
import { AutomationStops, SwitchAutomations } from '../../domain/automations/stop.ts';
import { notFound } from '../../domain/error.ts';
import type { ApiDeps } from '../deps.ts';
import { defineRoute } from '../deps.ts';

const PATH = '/api/v1/admin/automations';
const StopList = AutomationStops.omit({ hasChanged: true });

export const automationAdminRoutes = [
  defineRoute({
    method: 'GET',
    path: PATH,
    auth: 'master',
    operationId: 'adminAutomations.list',
    summary: 'List agencies whose automations are stopped',
    reply: StopList,
    async handle(_call, { database }) {
      return { stops: await database.read(shownStops) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: `${PATH}/stop`,
    auth: 'master',
    operationId: 'adminAutomations.stop',
    summary: 'Stop the automations of an agency, or all',
    description:
      'No run begins or takes a further step, and waiting messages of automations are cancelled. A run ' +
      'that wants to take a step ends as `cancelled`, `stopped`.\n\nA message is cancelled when its turn ' +
      'comes. A run that only waits continues to wait, and a short stop does not affect it. Repeating it ' +
      'changes nothing.',
    body: SwitchAutomations,
    reply: AutomationStops,
    errors: ['not_found'],
    handle: ({ body, caller }, deps) => change(deps, body, { to: stopAutomations, keyId: caller.keyId }),
  }),

  defineRoute({
    method: 'POST',
    path: `${PATH}/resume`,
    auth: 'master',
    operationId: 'adminAutomations.resume',
    summary: 'Restart the automations of an agency, or all',
    description:
      'Runs that have ended in the meantime stay ended: repeat them with `POST ' +
      '/api/v1/automation-executions/:id/retry`. Automations that the setting `AUTOMATIONS` has stopped ' +
      'stay stopped.\n\nRepeating it changes nothing.',
    body: SwitchAutomations,
    reply: AutomationStops,
    errors: ['not_found'],
    handle: ({ body, caller }, deps) => change(deps, body, { to: resumeAutomations, keyId: caller.keyId }),
  }),
];

async function change(
  { database }: Pick<ApiDeps, 'database'>,
  { agencyId = ALL_AGENCIES, ...who }: z.output<typeof SwitchAutomations>,
  { to, keyId }: { to: typeof stopAutomations; keyId: ChangedBy['keyId'] },
) {
  return database.transaction(async (tx) => {
    if (!(await isAgency(tx, agencyId))) throw notFound('agency');
    const hasChanged = await to(tx, agencyId, { ...who, keyId });
    return { hasChanged, stops: await shownStops(tx) };
  });
}

async function shownStops(queries: Parameters<typeof listStops>[0]) {
  return (await listStops(queries)).map(shownStop);
}

function shownStop({ agencyId, stoppedAt, ...stop }: AutomationStop) {
  return { ...stop, agencyId: agencyId === ALL_AGENCIES ? null : agencyId, stoppedAt: stoppedAt.toISOString() };
}
