import { cancellationSignal } from '@temporalio/activity';
import { askModel } from './ask-model.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { beating } from '../heartbeat.ts';
import { extractFacts } from './memories.ts';
import { ModelError } from '../../adapters/models/error.ts';
import { failureOf } from '../../adapters/models/failure.ts';
import type { createReadAhead } from './turn-material.ts';

/** The running calls to models by turn, so that the call of a turn that is given up ends at once. */
export type ModelCalls = Map<string, AbortController>;

export function createAnswerTurn(
  deps: ActivityDependencies,
  calls: ModelCalls,
  readAhead: ReturnType<typeof createReadAhead>,
) {
  /**
   * Asks the turn's model, does what the model decided, and reads the conversation for facts. Safe to repeat: a turn
   * that has ended is not answered again, and a turn that was read for facts is not read again. Rows: ai_turn, message,
   * memory, ai_usage.
   */
  return async function answerTurn({ turnId }: { turnId: string }): Promise<void> {
    const giveUp = new AbortController();
    calls.set(turnId, giveUp);
    const signal = AbortSignal.any([cancellationSignal(), giveUp.signal]);
    try {
      await beating(async () => {
        await askModel(deps, turnId, signal, readAhead.take(turnId));
        await extractFacts(deps, turnId, signal);
      });
    } catch (error) {
      // The turn was given up, so its failure concerns nobody.
      if (giveUp.signal.aborted) return;
      throw error instanceof ModelError ? failureOf(error) : error;
    } finally {
      if (calls.get(turnId) === giveUp) calls.delete(turnId);
    }
  };
}
