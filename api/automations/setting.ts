import { endpointsOf } from '../../db/automations/callable-endpoint.ts';
import type { Tx } from '../../db/engine/tx.ts';
import type { Configured, Definition } from '../../domain/automations/definition.ts';
import { EndpointParam } from '../../domain/automations/endpoint-param.ts';
import { invalid } from '../../domain/error.ts';

/** For whom something is set: a tenant, or all tenants of an agency. */
interface SetFor {
  agencyId: string;
  tenantId: string | null;
}

/**
 * True for a request that only switches off. It needs nothing read: parameters that would be refused by now, such as the
 * id of an endpoint that is gone, must not keep an automation on.
 */
export function isSwitchOff({ enabled, params }: { enabled: boolean; params?: object | undefined }): boolean {
  return !enabled && params === undefined;
}

/** Returns what the audit shows of a setting: the switch if it moves, and whether parameters came with it. */
export function changeOf(
  before: { enabled: boolean } | null | undefined,
  { enabled, params }: { enabled: boolean; params?: object | undefined },
) {
  return {
    ...(enabled === before?.enabled ? {} : { enabled }),
    ...(params === undefined ? {} : { fields: ['params'] }),
  };
}

/** Reads what is to be set of an automation, or refuses it with what is wrong. */
export async function readSetting(
  tx: Tx,
  setFor: SetFor,
  definition: Definition,
  params: Record<string, unknown> | undefined,
): Promise<Configured> {
  const configured = definition.configure(params ?? {});
  if ('wrong' in configured) throw invalid(configured.wrong);
  await requireEndpoints(tx, setFor, configured.params);
  return configured;
}

/** Refuses the id of an endpoint that does not serve whom it is set for: the automation would call it in vain. */
async function requireEndpoints(tx: Tx, setFor: SetFor, set: Record<string, unknown>): Promise<void> {
  const named = Object.entries(set).flatMap(([name, value]) => {
    const read = EndpointParam.safeParse(value);
    return read.success ? [{ name, id: read.data }] : [];
  });
  const known = await endpointsOf(
    tx,
    setFor,
    named.map(({ id }) => id),
  );
  const wrong = named.filter(({ id }) => !known.has(id));
  if (wrong.length === 0) return;
  const whose = setFor.tenantId === null ? 'that serves all tenants of the agency' : 'of the tenant';
  throw invalid(
    wrong.map(({ name }) => ({ pointer: `/params/${name}`, message: `is not the id of an endpoint ${whose}` })),
  );
}
