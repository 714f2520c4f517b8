import type { Database } from '../../db/engine/database.ts';
import { findTenant } from '../../db/tenants/tenant.ts';
import { chooseModel } from '../../db/agent/turn-end.ts';
import { findTurnAtWork } from '../../db/agent/turn.ts';
import { defaultPersona } from '../../domain/agent/sales-agent.ts';
import { concludeTurn } from './conclude-turn.ts';
import { failedConclusion } from './model-failed.ts';
import type { Models } from '../../adapters/models/models.ts';

/** `ask`: another model is to be asked. `retries`: the turn is over for now, and its messages stay owed. */
export interface SteppedDown {
  ask: boolean;
  retries?: true;
}

/** Creates the activity that goes on after a model has failed for good: with a fallback, a later try, or a person. */
export function createStepDown({
  database,
  models,
}: {
  database: Pick<Database, 'transaction'>;
  models: Pick<Models, 'defaultId' | 'fallbackOf'>;
}) {
  /**
   * Chooses the fallback model to ask next. Without one, the turn is tried again later or a person gets the
   * conversation, as the persona says. Safe to repeat: each model is recorded before it is asked, so none is asked
   * again, however it failed.
   * Rows: ai_turn, message, handover.
   */
  return async function stepDown({ turnId }: { turnId: string }): Promise<SteppedDown> {
    return database.transaction(async (tx) => {
      const turn = await findTurnAtWork(tx, turnId);
      if (turn?.outcome !== 'running') return { ask: false, ...(turn?.retryAt ? { retries: true } : {}) };
      const tenant = await findTenant(tx, { agencyId: turn.agencyId, tenantId: turn.tenantId });
      const persona = { ...defaultPersona(models.defaultId), ...tenant?.persona };
      const fallback = models.fallbackOf(turn.model ?? persona.modelChoice);
      const tried = new Set([...turn.modelsTried, ...turn.modelCalls.map(({ model }) => model)]);
      if (fallback !== null && !tried.has(fallback)) {
        await chooseModel(tx, turnId, fallback);
        return { ask: true };
      }
      const conclusion = await failedConclusion(tx, turn, persona);
      await concludeTurn(tx, turn, conclusion, null);
      return { ask: false, ...('retryAt' in conclusion ? { retries: true } : {}) };
    });
  };
}
