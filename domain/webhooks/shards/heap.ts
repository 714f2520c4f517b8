/** The least of many at hand, by an order that is given. */
export class Heap<T> {
  readonly #before: (one: T, other: T) => boolean;
  #items: T[] = [];

  constructor(before: (one: T, other: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  get least(): T | undefined {
    return this.#items[0];
  }

  /** Some of the least, in no exact order. */
  some(count: number): readonly T[] {
    return this.#items.slice(0, count);
  }

  clear(): void {
    this.#items = [];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = items[up];
      if (parent === undefined || !this.#before(item, parent)) break;
      items[at] = parent;
      at = up;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const [least] = items;
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.#sink(last);
    return least;
  }

  /** Lets an item down from the top to its place. */
  #sink(item: T): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      let child = items[down];
      if (child === undefined) break;
      const other = items[down + 1];
      if (other !== undefined && this.#before(other, child)) {
        child = other;
        down += 1;
      }
      if (!this.#before(child, item)) break;
      items[at] = child;
      at = down;
    }
    items[at] = item;
  }
}
