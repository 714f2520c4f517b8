import type { AcceptOutcome, ScopedSend } from '../../db/sending/accept.ts';
import type { Database } from '../../db/database.ts';
import { readAgencyBacklog } from '../../db/operations/agency-backlog.ts';
import type { Tx } from '../../db/tx.ts';
import { refuseWhenBehind } from '../../domain/sending/shedding.ts';
import type { Backlog, SendClass } from '../../domain/sending/shedding.ts';
import type { Shared } from '../route/together.ts';

/** About one small statement a second for each agency that sends, however fast it does. */
const REMEMBERED_MS = 1_000;
const MAX_AGENCIES = 10_000;

interface Asked {
  origin: string;
  bulk?: boolean | undefined;
  sendAt?: Date | undefined;
}

/** Refuses sends of an agency whose earlier ones wait too long. */
export class Shedding {
  readonly #database: Pick<Database, 'read' | 'clock'>;
  readonly #known = new Map<string, { until: number; backlog: Backlog }>();

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

  /** Reads by the request's own transaction: one that waits for a second connection might wait for itself. */
  async #backlogOf(agencyId: string, tx: Tx | undefined): Promise<Backlog> {
    const known = this.#known.get(agencyId);
    if (known && known.until > Date.now()) return known.backlog;
    const backlog = tx
      ? await readAgencyBacklog(tx, agencyId)
      : await this.#database.read((queries) => readAgencyBacklog(queries, agencyId));
    if (this.#known.size >= MAX_AGENCIES) this.#known.clear();
    this.#known.set(agencyId, { until: Date.now() + REMEMBERED_MS, backlog });
    return backlog;
  }
}

function classOf({ origin, bulk }: Asked): SendClass {
  if (bulk === true) return 'bulk';
  return origin === 'person' ? 'person' : 'api';
}
