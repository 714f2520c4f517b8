import { loadContext, messagesFor } from '../../db/agent/context.ts';
import type { LoadedContext } from '../../db/agent/context.ts';
import type { Database } from '../../db/database.ts';
import { findTenant } from '../../db/tenants/tenant.ts';
import type { Tenant } from '../../db/tenants/tenant.ts';
import { findTurnById } from '../../db/agent/turn.ts';
import type { Turn } from '../../db/agent/turn.ts';

/** What a turn's prompt is made of. */
export interface TurnMaterial {
  turn: Turn;
  tenant: Tenant | null;
  context: LoadedContext | null;
}

/** Material that was read longer ago may have changed, so it is read again. */
const FRESH_MS = 1_000;

/** Null when there is no such turn. */
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

/** Reads a turn that has just begun while Temporal hands it over; where another process answers it, for nothing. */
export function createReadAhead(database: Database) {
  const read = new Map<string, Promise<TurnMaterial | null>>();

  return {
    begin(turnId: string): void {
      const reading = loadTurnMaterial(database, turnId);
      // Whoever takes it hears of it.
      reading.catch(() => undefined);
      read.set(turnId, reading);
      setTimeout(() => read.delete(turnId), FRESH_MS).unref();
    },
    /** Once: whoever asks again reads again. */
    take(turnId: string): Promise<TurnMaterial | null> {
      const reading = read.get(turnId) ?? loadTurnMaterial(database, turnId);
      read.delete(turnId);
      return reading;
    },
  };
}
