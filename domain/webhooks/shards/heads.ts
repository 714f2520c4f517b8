import { Heap } from './heap.ts';
import type { Head } from './lane.ts';
import type { Waiting } from './pending.ts';

/** A breaker's probe is one of this many heads. */
const PROBES_AMONG = 10;

/** The heads of an endpoint's lanes, by the times at which they are due. */
export class Heads {
  readonly #heap = new Heap<Head>(goesBefore);

  offer(head: Head): void {
    head.lane.head = head;
    this.#heap.push(head);
  }

  /** The head that is due first. */
  get first(): Head | undefined {
    for (;;) {
      const head = this.#heap.least;
      // A lane may have got another head since.
      if (!head || head.lane.head === head) return head;
      this.#heap.pop();
    }
  }

  /**
   * Chooses an open breaker's probe among the first ten heads: the one that is due longest, or a different one each
   * time when none is due. Otherwise an event that its receiver never accepts could be the only probe.
   */
  probe(nowMs: number, probes: number): Head | undefined {
    const heads: Head[] = [];
    for (let head = this.first; head && heads.length < PROBES_AMONG; head = this.first) {
      this.#heap.pop();
      heads.push(head);
    }
    for (const head of heads) this.#heap.push(head);
    const isDue = (heads[0]?.dueAtMs ?? Infinity) <= nowMs;
    return heads[isDue ? 0 : probes % Math.max(heads.length, 1)];
  }

  /** Some of the deliveries that come first, in no exact order. */
  some(count: number): Waiting[] {
    return this.#heap.some(count).map(({ delivery }) => delivery);
  }

  clear(): void {
    this.#heap.clear();
  }
}

function goesBefore(one: Head, other: Head): boolean {
  return one.dueAtMs < other.dueAtMs || (one.dueAtMs === other.dueAtMs && one.delivery.place < other.delivery.place);
}
