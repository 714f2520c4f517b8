import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SessionQueue } from '../../loops/session-queue.ts';
import { eventually } from '../support/eventually.ts';

const LOOPS = 4;
const MANY = 100;

describe('the queue of sessions with events', () => {
  let nowMs: number;
  let queue: SessionQueue;
  /** The batches of each loop. */
  let taken: string[][];

  beforeEach(() => {
    nowMs = 0;
    taken = [];
    queue = new SessionQueue(LOOPS, () => nowMs);
  });

  afterEach(() => queue.close());

  /** A loop asks for its next sessions; it waits while there are none for it. */
  function aLoop(takesOthers?: () => boolean): void {
    void queue.next(25, takesOthers).then((names) => taken.push(names));
  }

  /** Lets everything happen that does not wait for a time. */
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** Sessions that are behind, as after a batch each. */
  async function backlogs(...names: string[]): Promise<void> {
    for (const name of names) queue.wake(name);
    for (const name of await queue.next(names.length)) queue.end(name, 'behind', MANY);
    // The first events are no longer new.
    nowMs += 10_000;
  }

  it('rests while a backlog waits for the one loop that may take it, however many others wait', async () => {
    queue.wake('b1');
    expect(await queue.next(25)).toEqual(['b1']);
    let asked = 0;
    function mayNot(): boolean {
      asked += 1;
      if (asked > MANY) queue.close();
      return false;
    }
    aLoop(mayNot);
    aLoop(mayNot);
    await settled();
    queue.end('b1', 'behind', MANY);
    await settled();
    expect(asked).toBeLessThan(MANY);
    aLoop();
    await settled();
    expect(taken).toEqual([['b1']]);
  });

  it('wakes a second loop where the first takes one kind and leaves the other', async () => {
    await backlogs('b1', 'b2', 'b3', 'b4');
    for (let loop = 0; loop < LOOPS + 1; loop += 1) aLoop();
    await settled();
    expect(taken).toEqual([['b1'], ['b2'], ['b3']]);
    // The batches wait for somebody's lock by now, so there is room for the fourth, and nothing has woken for it.
    nowMs += 2_000;
    queue.wake('quiet');
    await settled();
    expect(taken.slice(3).flat().toSorted()).toEqual(['b4', 'quiet']);
  });

  it('leaves one loop to quiet sessions, however many are behind', async () => {
    await backlogs('b1', 'b2', 'b3', 'b4', 'b5');
    for (let loop = 0; loop < LOOPS; loop += 1) aLoop();
    await settled();
    expect(taken).toEqual([['b1'], ['b2'], ['b3']]);
    queue.wake('quiet');
    await settled();
    expect(taken.at(-1)).toEqual(['quiet']);
  });

  it('gives backlogs one loop while quiet sessions have events, and all but one again when they have none', async () => {
    await backlogs('b1', 'b2', 'b3', 'b4');
    queue.wake('quiet');
    expect(await queue.next(25)).toEqual(['b1']);
    expect(await queue.next(25)).toEqual(['quiet']);
    queue.end('quiet', 'done', 1);
    aLoop();
    await settled();
    expect(taken).toEqual([]);
    queue.end('b1', 'done', 10);
    aLoop();
    await settled();
    expect(taken).toEqual([['b2']]);
    nowMs += 1_000;
    queue.end('b2', 'behind', MANY);
    aLoop();
    await settled();
    expect(taken).toEqual([['b2'], ['b3'], ['b4']]);
  });

  it('lets no quiet session share a transaction with one that has many events', async () => {
    for (const name of ['busy1', 'busy2']) {
      queue.wake(name);
      await queue.next(25);
      queue.end(name, 'done', MANY);
    }
    for (const name of ['busy1', 'quiet1', 'busy2', 'quiet2']) queue.wake(name);
    aLoop();
    aLoop();
    await settled();
    expect(new Set(taken.map(String))).toEqual(new Set(['busy1,busy2', 'quiet1,quiet2']));
  });

  it('takes busy sessions together every 50 ms while quiet ones have events, and at once when they have none', async () => {
    queue.wake('busy1');
    await queue.next(25);
    queue.end('busy1', 'done', MANY);
    queue.wake('busy1');
    queue.wake('quiet');
    const got = [...(await queue.next(25)), ...(await queue.next(25))];
    expect(got.toSorted()).toEqual(['busy1', 'quiet']);
    queue.end('busy1', 'done', MANY);
    aLoop();
    aLoop();
    await settled();
    queue.wake('busy1');
    await settled();
    expect(taken).toEqual([]);
    nowMs += 50;
    await eventually(() => taken.length === 1);
    expect(taken).toEqual([['busy1']]);
    queue.end('quiet', 'done', 1);
    queue.wake('quiet');
    await settled();
    expect(taken.at(-1)).toEqual(['quiet']);
    for (const name of ['busy1', 'quiet']) queue.end(name, 'done', MANY);
    nowMs += 1_000;
    for (let again = 0; again < 2; again += 1) {
      queue.wake('busy1');
      expect(await queue.next(25)).toEqual(['busy1']);
      queue.end('busy1', 'done', MANY);
    }
  });

  it('forgets after two seconds that a session had many events', async () => {
    queue.wake('busy');
    await queue.next(25);
    queue.end('busy', 'done', MANY);
    nowMs += 2_000;
    for (const name of ['busy', 'quiet']) queue.wake(name);
    expect(await queue.next(25)).toEqual(['busy', 'quiet']);
  });

  it('lets the next backlog go on where a batch of another waits for a lock', async () => {
    await backlogs('held', 'free');
    queue.wake('quiet');
    expect(await queue.next(25)).toEqual(['held']);
    expect(await queue.next(25)).toEqual(['quiet']);
    nowMs += 999;
    queue.end('quiet', 'done', 1);
    queue.wake('quiet');
    expect(await queue.next(25)).toEqual(['quiet']);
    nowMs += 1;
    expect(await queue.next(25)).toEqual(['free']);
  });

  it('wakes another loop for what the woken one does not take', async () => {
    queue.wake('behind');
    await queue.next(25);
    aLoop(() => false);
    aLoop();
    await settled();
    queue.end('behind', 'behind', MANY);
    await settled();
    expect(taken).toEqual([['behind']]);
  });

  it('starves no backlog by a stream of events of quiet sessions', async () => {
    await backlogs('behind');
    const got: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      queue.wake(`quiet${turn}`);
      got.push(...(await queue.next(1)));
    }
    expect(got).toContain('behind');
  });
});
