import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { EventStream } from '../../../api/webhooks/stream/event-stream.ts';
import type { Pulled } from '../../../api/webhooks/stream/event-stream.ts';
import { LiveEvents } from '../../../api/webhooks/stream/live-events.ts';
import { Wakeups } from '../../../db/engine/wakeups.ts';
import type { EventPlace, EventRecord } from '../../../db/webhooks/events/event-list.ts';
import type { News, NewsAsked } from '../../../db/webhooks/events/news.ts';
import { isAfter } from '../../../domain/webhooks/stream/recent-events.ts';
import { shownBy } from '../../../domain/webhooks/stream/shown.ts';
import { eventually } from '../../support/eventually.ts';

const ALL = shownBy(
  { tenantId: null, sessionId: null },
  { type: null, sessionId: null, conversationId: null, since: null, tests: false },
);
const START: EventPlace = { txid: '100', place: '0' };

/** A response whose reader takes what is written only when it is told to. */
class Response extends EventEmitter {
  readonly written: string[] = [];
  isTaking = true;
  untaken = 0;
  destroyed = false;
  writableNeedDrain = false;

  write(chunk: string | Buffer): boolean {
    this.written.push(chunk.toString());
    if (this.isTaking) return true;
    this.untaken += chunk.length;
    this.writableNeedDrain = true;
    return false;
  }

  takeAll(): void {
    this.isTaking = true;
    this.untaken = 0;
    this.writableNeedDrain = false;
    this.emit('drain');
  }

  end(chunk?: string): this {
    if (chunk !== undefined) this.written.push(chunk);
    return this.destroy();
  }

  destroy(): this {
    this.destroyed = true;
    this.emit('close');
    return this;
  }

  /** The ids of the events that it was sent. */
  get events(): string[] {
    return [...this.written.join('').matchAll(/"id":"(evt_\d+)"/g)].map(([, id]) => id ?? '');
  }
}

/** Agencies whose events are told by hand; readings are counted. */
function aWorld() {
  const wakeups = new Wakeups('postgres://127.0.0.1:1/none', () => undefined);
  const told: (EventRecord & { agencyId: string })[] = [];
  const readings: (readonly NewsAsked[])[] = [];
  let isKnown = true;
  const eventsAfter = (agencyId: string, after: EventPlace) =>
    told.filter((event) => event.agencyId === agencyId && isAfter(event, after));
  const now = (): EventPlace => ({ txid: String(101 + told.length), place: '0' });
  const live = new LiveEvents({
    wakeups,
    read: async (asked) => {
      readings.push(asked);
      await pause(1);
      return new Map(
        asked.map(({ agencyId, after }): [string, News] => [
          agencyId,
          { events: eventsAfter(agencyId, after), next: now(), hasMore: false, isHeldBack: false, isKnown },
        ]),
      );
    },
    onError: (error) => {
      throw error;
    },
  });
  const pulls: EventPlace[] = [];
  return {
    live,
    readings,
    pulls,
    now,
    forgetPlaces: () => (isKnown = false),
    tell(agencyId: string) {
      const txid = String(101 + told.length);
      const id = `evt_${txid}`;
      const of = { tenantId: 't1', sessionId: 's1', conversationId: 'c1', sequence: told.length, isTrial: false };
      told.push({ agencyId, id, txid, place: '1', type: 'message', createdAt: new Date(), ...of });
      wakeups.wake('event', agencyId);
      return id;
    },
    open(agencyId: string, { beatMs = 60_000 } = {}) {
      const response = new Response();
      const leaving = new AbortController();
      const pull = async (after: EventPlace): Promise<Pulled> => {
        pulls.push(after);
        const frames = eventsAfter(agencyId, after).map(({ id }) => `data: {"id":"${id}"}\n\n`);
        return { frames: frames.length === 0 ? undefined : Buffer.from(frames.join('')), at: now(), hasMore: false };
      };
      const follow = (wake: () => void) => live.follow(agencyId, wake);
      const { signal } = leaving;
      const onError = (error: unknown) => void Promise.reject(error);
      const stream = new EventStream({ response, signal, shown: ALL, follow, pull, beatMs, onError }, START);
      const ended = stream.run({ frames: undefined, at: START, hasMore: false });
      return { response, stream, ended, leave: () => response.destroy() };
    },
  };
}

describe('the readers of streams', () => {
  it('share one reading, however many they are', async () => {
    const world = aWorld();
    const agencies = ['a', 'b', 'c'];
    const readers = agencies.flatMap((agencyId) =>
      Array.from({ length: 40 }, () => ({ agencyId, ...world.open(agencyId) })),
    );
    await eventually(() => readers.every(({ response }) => response.written.join('').includes('event: ready')));
    const before = world.readings.length;
    const told = new Map(agencies.map((agencyId) => [agencyId, [world.tell(agencyId), world.tell(agencyId)]]));
    await eventually(() => readers.every(({ response }) => response.events.length === 2));
    for (const { agencyId, response } of readers) expect(response.events).toEqual(told.get(agencyId));
    // The first wake-up is heard at once; what comes while it is answered goes together. Each agency is also looked at
    // again soon after its first stream.
    expect(world.readings.length - before).toBeLessThanOrEqual(8);
    expect(world.pulls).toEqual([]);
    for (const { leave } of readers) leave();
    await Promise.all(readers.map(({ ended }) => ended));
    expect(world.live.agencies).toBe(0);
    world.live.close();
  });

  it('are read nothing for while they take nothing, and miss nothing when they take again', async () => {
    const world = aWorld();
    const slow = world.open('a');
    const quick = world.open('a');
    await eventually(() => slow.response.written.length === 1);
    slow.response.isTaking = false;
    const told = [world.tell('a')];
    await eventually(() => slow.response.events.length === 1 && quick.response.events.length === 1);
    const { untaken } = slow.response;
    // More than is remembered, and never so many at once.
    for (let batch = 0; batch < 8; batch += 1) {
      for (let count = 0; count < 200; count += 1) told.push(world.tell('a'));
      await eventually(() => quick.response.events.length === told.length);
    }
    expect(slow.response.untaken).toBe(untaken);
    slow.response.takeAll();
    await eventually(() => slow.response.events.length === told.length);
    expect(slow.response.events).toEqual(told);
    expect(world.pulls).toHaveLength(1);
    for (const { leave } of [slow, quick]) leave();
    await Promise.all([slow.ended, quick.ended]);
    world.live.close();
  });

  it('are cut when they take nothing from one sign of life to the next', async () => {
    const world = aWorld();
    const stuck = world.open('a', { beatMs: 20 });
    await eventually(() => stuck.response.written.some((text) => text.startsWith(':')));
    stuck.response.isTaking = false;
    await stuck.ended;
    expect(stuck.response.destroyed).toBe(true);
    expect(stuck.response.written.join('')).not.toContain('event: end');
    world.live.close();
  });

  it('hear a sign of life that moves their cursor past what they are not shown', async () => {
    const world = aWorld();
    const reader = world.open('a', { beatMs: 20 });
    const other = world.open('b');
    const idOf = (at: EventPlace) => Buffer.from(`${at.txid} ${at.place}`).toString('base64url');
    world.tell('b');
    await eventually(() => other.response.events.length === 1);
    await eventually(() => reader.response.written.some((text) => text === `:\nid: ${idOf(world.now())}\n\n`));
    for (const { leave } of [reader, other]) leave();
    await Promise.all([reader.ended, other.ended]);
    world.live.close();
  });

  it('are told when to come back once the process stops', async () => {
    const world = aWorld();
    const reader = world.open('a');
    await eventually(() => reader.response.written.length === 1);
    reader.stream.stop();
    await reader.ended;
    expect(reader.response.written.at(-1)).toMatch(/^retry: \d{4}\nevent: end\ndata: \{"reason":"stopping"\}\n\n$/);
    world.live.close();
  });
});
