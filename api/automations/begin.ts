import type { ExecutionRow } from '../../db/automations/execution-list.ts';
import { findExecution } from '../../db/automations/execution-list.ts';
import { isStopped } from '../../db/automations/stop.ts';
import { beginExecutions } from '../../db/automations/start.ts';
import type { Start } from '../../db/automations/matching.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { findStoredDefinition } from '../../db/flows/definition.ts';
import type { Definition } from '../../domain/automations/definition.ts';
import { flowOfAutomation } from '../../domain/automations/name.ts';
import { EngineError, invalid } from '../../domain/error.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ApiDeps } from '../deps.ts';

/** Begins a run that a request asks for; answers it, or undefined when the same was asked for before. */
export async function beginAsked(tx: Tx, scope: Scope, start: Start): Promise<ExecutionRow | undefined> {
  if (await isStopped(tx, scope.agencyId)) {
    throw new EngineError(
      'automations_stopped',
      'The operator has stopped automations: try again when they are restarted.',
    );
  }
  const [begun] = await beginExecutions(tx, scope.agencyId, [start]);
  return begun && findExecution(tx, scope, begun.id);
}

/** Refuses a run that was not begun, because its automation is off or has begun too often. */
export function notBegun(): EngineError {
  return new EngineError(
    'automation_off',
    'It is switched off, or it has already run as often as it may in one day for this conversation.',
  );
}

/** Finds a definition of this release or a stored workflow of the agency, or refuses the request. */
export async function requireDefinition(
  { automations, database }: Pick<ApiDeps, 'automations' | 'database'>,
  agencyId: string,
  { name, pointer }: { name: string; pointer: string },
): Promise<Definition> {
  const found =
    automations.find(name) ??
    (flowOfAutomation(name) === null
      ? undefined
      : await database.read((queries) => findStoredDefinition(queries, agencyId, name)));
  if (found) return found;
  const names = automations.list().map((each) => each.name);
  throw invalid({ pointer, message: `is neither a workflow of the agency nor one of these: ${names.join(', ')}` });
}
