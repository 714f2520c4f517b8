import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { seeded } from '../sandbox/random.ts';
import type { Random } from '../sandbox/random.ts';
import { until } from '../demo/until.ts';
import type { Ground } from './ground.ts';
import type { Ledger } from './ledger.ts';

const SENDERS = 4;
const PEOPLE = 40;
const LONGEST_PAUSE_MS = 120;
/** Before the next try at an engine that does not answer. */
const AWAY_MS = 250;
const STREAM_PATIENCE_MS = 120_000;

const Sent = z.object({ messageId: z.string() });
const Unreachable = z.object({ cause: z.object({ code: z.literal('ECONNREFUSED') }) });

/** Sends to many people without a break, through whatever happens, and writes down every answer. */
export class Stream {
  readonly #ground: Ground;
  readonly #ledger: Ledger;
  readonly #round: number;
  readonly #senders: Promise<void>[];
  #sent = 0;
  #stopped = false;

  constructor(ground: Ground, ledger: Ledger, round: number) {
    this.#ground = ground;
    this.#ledger = ledger;
    this.#round = round;
    this.#senders = Array.from({ length: SENDERS }, (_, sender) => this.#run(seeded(`${round}/${sender}`)));
  }

  /** Waits until that many more are accepted. */
  async more(count: number): Promise<void> {
    const goal = this.#ledger.acceptedIn(this.#round) + count;
    await until(`${count} more accepted sends`, () => this.#ledger.acceptedIn(this.#round) >= goal, STREAM_PATIENCE_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#senders);
  }

  async #run(random: Random): Promise<void> {
    while (!this.#stopped) {
      this.#sent += 1;
      const answered = await this.#send(this.#person(random), `round ${this.#round}, message ${this.#sent}`);
      await pause(answered ? random() * LONGEST_PAUSE_MS : AWAY_MS);
    }
  }

  async #send(to: string, text: string): Promise<boolean> {
    const round = this.#round;
    try {
      const { status, body } = await this.#ground.send(to, text);
      if (status === 202) this.#ledger.accepted.push({ round, text, messageId: Sent.parse(body).messageId });
      else this.#ledger.refused.push({ round, text, why: String(status) });
      return true;
    } catch (error) {
      if (Unreachable.safeParse(error).success) this.#ledger.refused.push({ round, text, why: 'not reachable' });
      else this.#ledger.unanswered.push({ round, text });
      return false;
    }
  }

  /** Nobody with a magic number, and others in each round. */
  #person(random: Random): string {
    const line = 1_000 + Math.floor(random() * PEOPLE);
    return `+1${200 + (this.#round % 700)}555${line}`;
  }
}
