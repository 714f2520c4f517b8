import type { AcceptOutcome, ScopedSend } from '../../db/sending/accept.ts';
import type { Database } from '../../db/engine/database.ts';
import { readAgencyBacklog } from '../../db/operations/agency-backlog.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { refuseWhenBehind } from '../../domain/sending/shedding.ts';
import type { Backlog, SendClass } from '../../domain/sending/shedding.ts';
import type { Shared } from '../route/together.ts';

/** About one small statement a second for each agency that sends, however fast it does. */
const REMEMBERED_MS = 1_000;
/** While a slow database answers, what it said last decides; older than this it says nothing. */
const STALE_AFTER_MS = 30_000;
const MAX_AGENCIES = 10_000;

interface Known {
  until: number;
  backlog: Backlog;
}

interface Asked {
  origin: string;
  bulk?: boolean | undefined;
  sendAt?: Date | undefined;
}

/** Refuses sends of an agency whose earlier ones wait too long. */
export class Shedding {
  readonly #database: Pick<Database, 'read' | 'clock'>;
  readonly #known = new Map<string, Known>();
  readonly #reading = new Map<string, Promise<Backlog>>();

  constructor(database: Pick<Database, 'read' | 'clock'>) {
    this.#database = database;
  }

  /** Throws `overloaded`. It comes before a request stores anything, and after the look for a stored answer. */
  async admit(agencyId: string, send: Asked, tx?: Tx): Promise<void> {
    // A scheduled message is no load yet.
    if (send.sendAt && send.sendAt > this.#database.clock.now()) return;
    refuseWhenBehind(await this.#backlogOf(agencyId, tx), classOf(send));
  }

  /** Lets only admitted requests be accepted. */
  before({ run, within }: Shared<ScopedSend, AcceptOutcome>): Shared<ScopedSend, AcceptOutcome> {
    return {
      run: async (input) => {
        await this.admit(input.scope.agencyId, input.send);
        return run(input);
      },
      within: async (tx, input) => {
        await this.admit(input.scope.agencyId, input.send, tx);
        return within(tx, input);
      },
    };
  }

  /**
   * Reads once for all requests of a moment. A request in a transaction reads by its own connection: one that waits for
   * another might wait for itself.
   */
  async #backlogOf(agencyId: string, tx: Tx | undefined): Promise<Backlog> {
    const known = this.#known.get(agencyId);
    const ageMs = known ? Date.now() - known.until : Infinity;
    if (known && ageMs < 0) return known.backlog;
    const reading = this.#reading.get(agencyId);
    if (reading && known && ageMs < STALE_AFTER_MS) return known.backlog;
    // Nobody else waits for that connection, which may be lost with its transaction.
    if (tx) return this.#remember(agencyId, readAgencyBacklog(tx, agencyId));
    return reading ?? this.#read(agencyId);
  }

  #read(agencyId: string): Promise<Backlog> {
    const asked = this.#database.read((queries) => readAgencyBacklog(queries, agencyId));
    const reading = this.#remember(agencyId, asked).finally(() => this.#reading.delete(agencyId));
    this.#reading.set(agencyId, reading);
    return reading;
  }

  async #remember(agencyId: string, asked: Promise<Backlog>): Promise<Backlog> {
    const backlog = await asked;
    if (this.#known.size >= MAX_AGENCIES) this.#known.clear();
    this.#known.set(agencyId, { until: Date.now() + REMEMBERED_MS, backlog });
    return backlog;
  }
}

function classOf({ origin, bulk }: Asked): SendClass {
  if (bulk === true) return 'bulk';
  return origin === 'person' ? 'person' : 'api';
}
