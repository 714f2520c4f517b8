/**
 * The most attempts of one owner that have just begun, while other owners wait. More at once would not end sooner,
 * because each takes this process some time. Attempts of other owners would wait for all of them.
 */
const MAX_FRESH = 4;
/** An attempt that takes longer waits for its receiver, which takes this process no time. */
const FRESH_MS = 5;
/** For so long after attempts of two owners there are others. */
const OTHERS_FOR_MS = 1_000;

interface Beginning {
  atMs: number;
}

interface Owner {
  id: string;
  /** The attempts that have just begun, the oldest first. */
  fresh: Set<Beginning>;
  waiting: ((begun: Beginning) => void)[];
  timer: NodeJS.Timeout | null;
}

/** Lets the attempts of each owner begin a few at a time, so that a thousand of one do not stand before another's. */
export class Beginnings {
  readonly #owners = new Map<string, Owner>();
  #latest: Owner['id'] | null = null;
  #othersAtMs = -Infinity;

  /** Makes the attempt when one of the owner may begin; the first ones begin at once. */
  async run<T>(ownerId: string, attempt: () => Promise<T>): Promise<T> {
    const owner = this.#ownerOf(ownerId);
    const beginning = this.#begin(owner) ?? (await this.#wait(owner));
    try {
      return await attempt();
    } finally {
      owner.fresh.delete(beginning);
      this.#goOn(owner);
    }
  }

  #ownerOf(id: string): Owner {
    if (this.#latest !== null && this.#latest !== id) this.#othersAtMs = performance.now();
    this.#latest = id;
    const known = this.#owners.get(id);
    if (known) return known;
    const owner = { id, fresh: new Set<Beginning>(), waiting: [], timer: null };
    this.#owners.set(id, owner);
    return owner;
  }

  #begin({ fresh }: Owner): Beginning | null {
    const atMs = performance.now();
    for (const beginning of fresh) {
      if (atMs - beginning.atMs < FRESH_MS) break;
      fresh.delete(beginning);
    }
    const areOthers = atMs - this.#othersAtMs < OTHERS_FOR_MS;
    if (areOthers && fresh.size >= MAX_FRESH) return null;
    const beginning = { atMs };
    fresh.add(beginning);
    return beginning;
  }

  #wait(owner: Owner): Promise<Beginning> {
    const { promise, resolve } = Promise.withResolvers<Beginning>();
    owner.waiting.push(resolve);
    this.#lookLater(owner);
    return promise;
  }

  #lookLater(owner: Owner): void {
    owner.timer ??= setTimeout(() => {
      owner.timer = null;
      this.#goOn(owner);
    }, FRESH_MS);
  }

  #goOn(owner: Owner): void {
    for (let begin = owner.waiting[0]; begin; begin = owner.waiting[0]) {
      const beginning = this.#begin(owner);
      if (!beginning) return this.#lookLater(owner);
      owner.waiting.shift();
      begin(beginning);
    }
    if (owner.fresh.size === 0 && this.#owners.get(owner.id) === owner) this.#owners.delete(owner.id);
  }
}
