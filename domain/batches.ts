/** Lets requests that have arrived already be read first, so that they go with the next batch. */
export const arrivedFirst = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
/** Lets the callers of this turn ask first. */
const turnFirst = (): Promise<void> => Promise.resolve();

interface Bounds<Item> {
  /** The number of items of a batch. */
  most: number;
  /** The size of a batch; a larger item goes alone. */
  size?: { most: number; of: (item: Item) => number };
  /** The number of batches that run side by side. */
  atOnce?: number;
  /** Resolves when those have added their items that go with the next batch. */
  gather?: () => Promise<void>;
}

export interface BatchesOf<Item> extends Bounds<Item> {
  /** Must not fail: it puts back what it could not do. */
  run: (batch: readonly Item[]) => Promise<void>;
  /** False for an item that stays until {@link Batches.begin} is called again. */
  mayGo?: (item: Item) => boolean;
}

/** Collects what comes while a batch runs, and runs it as the next one. An item that comes alone waits for no other. */
export class Batches<Item> {
  readonly #of: BatchesOf<Item>;
  #waiting = new Set<Item>();
  #running = 0;

  constructor(of: BatchesOf<Item>) {
    this.#of = of;
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting.size === 0;
  }

  get isRunning(): boolean {
    return this.#running > 0;
  }

  /** The number of items that wait for a batch. */
  get waiting(): number {
    return this.#waiting.size;
  }

  has(item: Item): boolean {
    return this.#waiting.has(item);
  }

  /** Adds an item to the next batch, and begins that. */
  add(item: Item): void {
    this.hold(item);
    this.begin();
  }

  /** Adds an item to the next batch, which something else begins. */
  hold(item: Item): void {
    this.#waiting.add(item);
  }

  /** Runs what waits, unless as many batches run as may. */
  begin(): void {
    if (this.#running < (this.#of.atOnce ?? 1) && this.#waiting.size > 0) void this.#work();
  }

  /** Puts items before those that wait. */
  putBack(items: readonly Item[]): void {
    this.#waiting = new Set([...items, ...this.#waiting]);
  }

  /** Removes items that wait and are not to be run. */
  remove(isGone: (item: Item) => boolean): void {
    for (const item of this.#waiting) if (isGone(item)) this.#waiting.delete(item);
  }

  async #work(): Promise<void> {
    const { run, gather = turnFirst } = this.#of;
    this.#running += 1;
    for (;;) {
      await gather();
      const batch = this.#take();
      if (batch.length === 0) break;
      await run(batch);
    }
    this.#running -= 1;
  }

  #take(): Item[] {
    const { most, size, mayGo = () => true } = this.#of;
    const batch: Item[] = [];
    let used = 0;
    for (const item of this.#waiting) {
      if (batch.length >= most) break;
      if (!mayGo(item)) continue;
      used += size?.of(item) ?? 0;
      if (batch.length > 0 && size !== undefined && used > size.most) break;
      batch.push(item);
    }
    for (const item of batch) this.#waiting.delete(item);
    return batch;
  }
}

export interface RequestsOf<Input, Outcome> extends Bounds<Input> {
  /** Answers the outcomes in the order of the inputs. */
  forAll: (inputs: readonly Input[]) => Promise<readonly Outcome[]>;
  /** True for an error of a batch that had no effect. Its inputs then go alone, so that the odd one fails alone. */
  hadNoEffect?: (error: unknown) => boolean;
  /** Inputs that go alone go one after the other, and later ones wait for them. */
  inOrder?: boolean;
}

interface Request<Input, Outcome> extends PromiseWithResolvers<Outcome> {
  input: Input;
}

/** Does what several callers ask for at the same time together, and answers each. */
export class Requests<Input, Outcome> {
  readonly #of: RequestsOf<Input, Outcome>;
  readonly #batches: Batches<Request<Input, Outcome>>;

  constructor({ size, ...of }: RequestsOf<Input, Outcome>) {
    this.#of = of;
    const ofRequest = size && { most: size.most, of: ({ input }: Request<Input, Outcome>) => size.of(input) };
    this.#batches = new Batches<Request<Input, Outcome>>({
      ...of,
      ...(ofRequest ? { size: ofRequest } : {}),
      run: (batch) => this.#run(batch),
    });
  }

  run(input: Input): Promise<Outcome> {
    const request = { input, ...Promise.withResolvers<Outcome>() };
    this.#batches.add(request);
    return request.promise;
  }

  async #run(batch: readonly Request<Input, Outcome>[]): Promise<void> {
    const { forAll, hadNoEffect = () => false, inOrder = false } = this.#of;
    try {
      const outcomes = await forAll(batch.map(({ input }) => input));
      for (const [index, { resolve }] of batch.entries()) resolve(onlyOf(outcomes.slice(index, index + 1)));
    } catch (error) {
      if (batch.length === 1 || !hadNoEffect(error)) for (const { reject } of batch) reject(error);
      else if (inOrder) for (const request of batch) await this.#run([request]);
      // Nobody waits until the others of a refused batch have gone.
      else for (const request of batch) void this.#run([request]);
    }
  }
}

/** The outcome of the only input. */
export function onlyOf<Outcome>([outcome]: readonly Outcome[]): Outcome {
  if (outcome === undefined) throw new Error('The batch has not answered every input.');
  return outcome;
}
