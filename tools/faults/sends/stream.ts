import { setTimeout as pause } from 'node:timers/promises';
import { seeded } from '../../../local/sandbox/random.ts';
import type { Random } from '../../../local/sandbox/random.ts';
import { until } from '../../demo/until.ts';
import { accept } from '../strikes/accept.ts';
import type { Account } from '../accounts.ts';
import type { Ground } from '../ground.ts';
import type { Ledger } from './ledger.ts';
import { messageIdsOf, post } from './post.ts';
import { newRequest } from './ways.ts';
import type { Request } from './ways.ts';

const SENDERS = 4;
const PEOPLE = 40;
const MAX_PAUSE_MS = 400;
/** Bounds the sends that wait, so that a long outage does not leave a long queue. */
const MAX_AHEAD = 150;
const STREAM_PATIENCE_MS = 120_000;
const REPEATED = 10;

/** Sends to many contacts in every way without a break, through every fault, and records each answer in the ledger. */
export class Stream {
  readonly #ground: Ground;
  readonly #ledger: Ledger;
  readonly #round: number;
  readonly #senders: Promise<void>[];
  #goal = 0;
  #sent = 0;
  #stopped = false;

  constructor(ground: Ground, ledger: Ledger, round: number, seed: string) {
    this.#ground = ground;
    this.#ledger = ledger;
    this.#round = round;
    this.#senders = Array.from({ length: SENDERS }, (_, sender) => this.#run(seeded(`${seed}/${sender}`)));
  }

  /** Waits until that many more messages are accepted. */
  async more(count: number): Promise<void> {
    const accepted = (): number => this.#ledger.acceptedIn(this.#round).length;
    this.#goal = accepted() + count;
    await until(`${count} more accepted sends`, () => accepted() >= this.#goal, STREAM_PATIENCE_MS);
  }

  /**
   * Posts the last accepted requests again under their keys: each must get its former answer, and nothing more is sent.
   */
  async repeat(): Promise<void> {
    const requests = [...new Set(this.#ledger.acceptedIn(this.#round).map(({ request }) => request))];
    await Promise.all(requests.slice(-REPEATED).map((request) => this.#repeatOne(request)));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#senders);
  }

  async #run(random: Random): Promise<void> {
    while (!this.#stopped) {
      if (this.#ledger.acceptedIn(this.#round).length < this.#goal + MAX_AHEAD) await this.#send(random);
      await pause(random() * MAX_PAUSE_MS);
    }
  }

  async #send(random: Random): Promise<void> {
    const { fileUrl } = this.#ground;
    const [round, account, to] = [this.#round, this.#account(random), this.#person(random)];
    this.#sent += 1;
    const text = `round ${round}, message ${this.#sent}`;
    const request = newRequest({ round, account, to, text }, { fileUrl, random });
    await accept(this.#ground, this.#ledger, request);
  }

  async #repeatOne(request: Request): Promise<void> {
    const { answer } = await post(this.#ground, request);
    const before = this.#ledger.accepted.filter((each) => each.request === request).map(({ messageId }) => messageId);
    const again = answer?.status === 202 ? messageIdsOf(answer) : [`status ${answer?.status ?? 'none'}`];
    if (again.join() === before.join() && answer?.headers.get('idempotent-replayed') === 'true') return;
    this.#wrong(`"${request.texts[0]}" was ${before.join()} and is ${again.join()} under the same key`);
  }

  #wrong(what: string): void {
    this.#ledger.wrong.push({ round: this.#round, what });
  }

  #account(random: Random): Account {
    const { accounts } = this.#ground;
    const account = accounts[Math.floor(random() * accounts.length)];
    if (!account) throw new Error('No account is connected.');
    return account;
  }

  /** Chooses a recipient without a magic number; each round has other recipients. */
  #person(random: Random): string {
    const line = 1_000 + Math.floor(random() * PEOPLE);
    return `+1${200 + (this.#round % 700)}555${line}`;
  }
}
