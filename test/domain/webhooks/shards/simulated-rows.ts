import type { PendingDelivery } from '../../../../domain/webhooks/shards/pending.ts';

export interface SimulatedRow extends PendingDelivery {
  endpointId: string;
  status: 'pending' | 'delivered' | 'failed' | 'cancelled';
  /** The number of the transaction that made it pending, or changed when it is to go. */
  version: number;
}

/** The rows of deliveries in memory: what is committed can be read at once. */
export class SimulatedRows {
  readonly rows = new Map<string, SimulatedRow>();
  version = 0;
  #ids = 0;

  /** Commits a new delivery, due at `dueAtMs`. */
  add(endpointId: string, lane: string, dueAtMs = 0): SimulatedRow {
    const id = String((this.#ids += 1));
    const row: SimulatedRow = {
      id,
      endpointId,
      lane,
      place: this.#ids,
      eventId: `evt_${id}`,
      eventCreatedAt: '',
      attempts: 0,
      ladderStep: 0,
      nextAttemptAt: new Date(dueAtMs),
      outOfOrder: false,
      status: 'pending',
      version: (this.version += 1),
    };
    this.rows.set(id, row);
    return row;
  }

  /** Commits a change that the tail shows. */
  change(row: SimulatedRow, change: Partial<SimulatedRow>): void {
    Object.assign(row, change, { version: (this.version += 1) });
  }

  pending(endpointId: string): SimulatedRow[] {
    const found = [...this.rows.values()].filter((row) => row.endpointId === endpointId && row.status === 'pending');
    return found.toSorted((one, other) => one.place - other.place);
  }

  since(version: number): SimulatedRow[] {
    const found = [...this.rows.values()].filter((row) => row.version > version && row.status === 'pending');
    return copies(found.toSorted((one, other) => one.place - other.place));
  }

  page(endpointId: string, after: number, limit: number): SimulatedRow[] {
    return copies(this.pending(endpointId).filter(({ place }) => place > after)).slice(0, limit);
  }

  lane(endpointId: string, lane: string, after: number, limit: number): SimulatedRow[] {
    const ofLane = this.pending(endpointId).filter((row) => row.lane === lane && !row.outOfOrder && row.place > after);
    return copies(ofLane).slice(0, limit);
  }

  due(after: Date, until: Date, limit: number): SimulatedRow[] {
    const found = [...this.rows.values()].filter(
      ({ status, attempts, nextAttemptAt: at }) => status === 'pending' && attempts > 0 && at > after && at <= until,
    );
    return copies(found.toSorted((one, other) => one.nextAttemptAt.getTime() - other.nextAttemptAt.getTime())).slice(
      0,
      limit,
    );
  }

  /** The pending deliveries that must go before this one. */
  before(row: SimulatedRow): SimulatedRow[] {
    if (row.outOfOrder) return [];
    return this.pending(row.endpointId).filter(
      (other) => other.lane === row.lane && other.place < row.place && !other.outOfOrder,
    );
  }
}

function copies(rows: readonly SimulatedRow[]): SimulatedRow[] {
  return rows.map((row) => ({ ...row }));
}
