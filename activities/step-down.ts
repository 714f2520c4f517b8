import type { Database } from '../db/database.ts';
import { findTenant } from '../db/tenant.ts';
import { chooseModel, findPreviousOutcome } from '../db/turn-end.ts';
import { findTurnById } from '../db/turn.ts';
import { defaultPersona } from '../domain/sales-agent.ts';
import { concludeTurn } from './conclude-turn.ts';
import type { Models } from './models.ts';

const MODEL_FAILED = 'model_failed';

/** After a model has failed for good: the next rung of the ladder. */
export function createStepDown({
  database,
  models,
}: {
  database: Database;
  models: Pick<Models, 'defaultId' | 'fallbackOf'>;
}) {
  /**
   * The fallback model is to be asked, else the persona's fallback message goes out; where that was the last that the
   * contact has heard, a person gets the conversation. Safe to repeat: each rung is on record before it is asked, so that
   * none is asked again however it failed.
   */
  return async function stepDown({ turnId }: { turnId: string }): Promise<{ ask: boolean }> {
    return database.transaction(async (tx) => {
      const turn = await findTurnById(tx, turnId);
      if (turn?.outcome !== 'running') return { ask: false };
      const tenant = await findTenant(tx, { agencyId: turn.agencyId, tenantId: turn.tenantId });
      const persona = { ...defaultPersona(models.defaultId), ...tenant?.persona };
      const fallback = models.fallbackOf(turn.model ?? persona.modelChoice);
      const tried = new Set([...turn.modelsTried, ...turn.modelCalls.map(({ model }) => model)]);
      if (fallback !== null && !tried.has(fallback)) {
        await chooseModel(tx, turnId, fallback);
        return { ask: true };
      }
      const hasFallenBack = (await findPreviousOutcome(tx, turn)) === 'fallback';
      const parts = persona.fallbackMessage.trim() === '' || hasFallenBack ? [] : [persona.fallbackMessage];
      const conclusion =
        parts.length > 0
          ? ({ outcome: 'fallback', parts, notes: [] } as const)
          : ({ outcome: 'handoff', reason: MODEL_FAILED, parts, notes: [], silence: MODEL_FAILED } as const);
      await concludeTurn(tx, turn, conclusion, null);
      return { ask: false };
    });
  };
}
