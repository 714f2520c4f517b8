import { loadContext, messagesFor } from '../../db/agent/context.ts';
import type { LoadedContext } from '../../db/agent/context.ts';
import type { Database } from '../../db/database.ts';
import { findTenant } from '../../db/tenants/tenant.ts';
import type { Tenant } from '../../db/tenants/tenant.ts';
import { findTurnById } from '../../db/agent/turn.ts';
import type { Turn } from '../../db/agent/turn.ts';

/** The material of which a turn's prompt is made. */
export interface TurnMaterial {
  turn: Turn;
  tenant: Tenant | null;
  context: LoadedContext | null;
}

/** Material that was read longer ago may have changed, so it is read again. */
const FRESH_MS = 1_000;

/** Returns null when there is no such turn. */
export async function loadTurnMaterial(database: Database, turnId: string): Promise<TurnMaterial | null> {
  const turn = await database.read((queries) => findTurnById(queries, turnId));
  if (!turn) return null;
  const { agencyId, tenantId } = turn;
  const [tenant, context] = await Promise.all([
    database.read((queries) => findTenant(queries, { agencyId, tenantId })),
    database.read((queries) => loadContext(queries, turn, messagesFor(turn.inboundMessageIds), turn.inboundMessageIds)),
  ]);
  return { turn, tenant, context };
}

/**
 * Reads a turn's material as soon as the turn has begun, while Temporal hands it over. The read is wasted when another
 * process answers the turn.
 */
export function createReadAhead(database: Database) {
  const read = new Map<string, Promise<TurnMaterial | null>>();

  return {
    begin(turnId: string): void {
      const reading = loadTurnMaterial(database, turnId);
      // The caller of `take` gets the failure; without a caller it is ignored.
      reading.catch(() => undefined);
      read.set(turnId, reading);
      setTimeout(() => read.delete(turnId), FRESH_MS).unref();
    },
    /** Returns the material that was read ahead, once. A second call reads it anew. */
    take(turnId: string): Promise<TurnMaterial | null> {
      const reading = read.get(turnId) ?? loadTurnMaterial(database, turnId);
      read.delete(turnId);
      return reading;
    },
  };
}
