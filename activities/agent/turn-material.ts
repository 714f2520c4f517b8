import { loadTurnMaterial } from '../../db/agent/turn-material.ts';
import type { TurnMaterial } from '../../db/agent/turn-material.ts';
import type { Database } from '../../db/engine/database.ts';

/** Material that was read longer ago may have changed, so it is read again. */
const FRESH_MS = 1_000;

/**
 * Reads a turn's material as soon as the turn has begun, while Temporal hands it over. The read is wasted when another
 * process answers the turn.
 */
export function createReadAhead(database: Pick<Database, 'read'>) {
  const read = new Map<string, Promise<TurnMaterial | null>>();

  const load = (turnId: string) => database.read((queries) => loadTurnMaterial(queries, turnId));

  return {
    begin(turnId: string): void {
      const reading = load(turnId);
      // The caller of `take` gets the failure; without a caller it is ignored.
      reading.catch(() => undefined);
      read.set(turnId, reading);
      setTimeout(() => read.delete(turnId), FRESH_MS).unref();
    },
    /** Returns the material that was read ahead, once. A second call reads it anew. */
    take(turnId: string): Promise<TurnMaterial | null> {
      const reading = read.get(turnId) ?? load(turnId);
      read.delete(turnId);
      return reading;
    },
  };
}
