import { describe, expect, it } from '@jest/globals';
import { signWebhook } from '../../../../activities/webhooks/signature.ts';
import { newWebhookSecret } from '../../../../db/webhooks/endpoint.ts';
import { delivery, isThere } from '../../../../packages/n8n/engine/deliver.ts';
import { idempotencyKey } from '../../../../packages/n8n/engine/idempotency-key.ts';
import {
  afterEvent,
  afterLostCursor,
  afterPage,
  pauseMs,
  pullQuery,
  unseen,
} from '../../../../packages/n8n/engine/pull.ts';
import type { PulledEvent, PullState } from '../../../../packages/n8n/engine/pull.ts';

const NOW = 1_800_000_000;
const body = Buffer.from('{"event":"message","payload":{"body":"Grüße"},"metadata":{"eventId":"evt_1"}}');
const secret = newWebhookSecret();
const signed = (by: string[] = [secret], timestamp = NOW) => signWebhook(by, { eventId: 'evt_1', timestamp, body });
const came = (headers: Record<string, string>, bytes = body) => ({ headers, body: bytes, nowSeconds: NOW });

describe("a request to n8n's webhook trigger", () => {
  it('starts the workflow once where the engine has signed it, whichever of two secrets is meant', () => {
    const first = delivery({ secret }, came(signed(['another-secret-of-32-characters!', secret])));
    if (first.outcome !== 'new') throw new Error(`It was ${first.outcome}.`);
    expect(first.body).toEqual(JSON.parse(body.toString()));
    expect(delivery(first.state, came(signed()))).toEqual({ outcome: 'repeated' });
  });

  it.each<[string, Record<string, string>, string]>([
    ['by another secret', signed([newWebhookSecret()]), 'evt_1'],
    ['too long ago', signed([secret], NOW - 301), 'evt_1'],
    ['for a time to come', signed([secret], NOW + 301), 'evt_1'],
    ['at a time that is none', { ...signed(), 'webhook-timestamp': 'now' }, 'evt_1'],
    ['for another event', { ...signed(), 'webhook-id': 'evt_2' }, 'evt_1'],
    ['for other bytes', signed(), 'evt_2'],
    ['not at all', { 'webhook-id': 'evt_1', 'webhook-timestamp': String(NOW) }, 'evt_1'],
    ['with an empty signature', { ...signed(), 'webhook-signature': '' }, 'evt_1'],
  ])('is refused where it was signed %s', (_how, headers, eventId) => {
    const bytes = Buffer.from(body.toString().replace('evt_1', eventId));
    expect(delivery({ secret }, came(headers, bytes))).toEqual({ outcome: 'refused' });
  });

  it('is refused while n8n knows no secret', () => {
    expect(delivery({}, came(signed()))).toEqual({ outcome: 'refused' });
  });
});

describe('the endpoint of a webhook trigger', () => {
  const url = 'https://n8n.example/webhook/1/events';
  const listed = { id: 'whe_1', url, events: ['message.ack', 'message'], status: 'active' };
  const state = { endpointId: 'whe_1', secret, url };
  const wanted = { url, events: ['message', 'message.ack'] };

  it('is there when the engine has it with the address and the events', () => {
    expect(isThere([listed], state, wanted)).toBe(true);
    expect(isThere([{ ...listed, status: 'paused' }], state, wanted)).toBe(true);
  });

  it.each([
    ['n8n has forgotten the secret', [listed], { endpointId: 'whe_1' }],
    ['somebody has deleted it', [], state],
    ['it is for another address', [{ ...listed, url: 'https://n8n.example/webhook-test/1/events' }], state],
    ['it gets other events', [{ ...listed, events: ['message'] }], state],
    ['the engine has disabled it', [{ ...listed, status: 'disabled' }], state],
  ])('is asked for again where %s', (_why, endpoints, kept) => {
    expect(isThere(endpoints, kept, wanted)).toBe(false);
  });
});

describe("n8n's pull trigger", () => {
  const anEvent = (n: number, type = 'message'): PulledEvent => ({
    id: `evt_${n}`,
    type,
    createdAt: new Date(NOW * 1_000 + n).toISOString(),
    body: '{}',
  });
  const page = { events: [anEvent(1), anEvent(2, 'message.ack'), anEvent(3)], nextCursor: 'after-3' };
  const since = '2027-01-15T08:00:00.000Z';

  it('begins with what happens from then on, and goes on with the cursor, which the engine holds', () => {
    expect(pullQuery({ since }, ['message'])).toEqual({ after: 'start', since, limit: 50, wait: 0, type: 'message' });
    const next = afterPage({ since, seen: ['evt_1'] }, page);
    expect(next).toEqual({ cursor: 'after-3', seen: ['evt_1'] });
    expect(pullQuery(next, ['message', 'message.ack'])).toEqual({ after: 'after-3', limit: 50, wait: 20 });
  });

  it('hands each event over once, of the kinds that are wanted, also where a crash repeats the page', () => {
    let state: PullState = { cursor: 'before' };
    const handed: string[] = [];
    for (const event of unseen(page, state, ['message']).slice(0, 1)) {
      handed.push(event.id);
      state = afterEvent(state, event);
    }
    // Here n8n is killed, and begins again with what it has stored: the page has not ended.
    expect(state.cursor).toBe('before');
    state = structuredClone(state);
    for (const event of unseen(page, state, ['message'])) {
      handed.push(event.id);
      state = afterEvent(state, event);
    }
    expect(handed).toEqual(['evt_1', 'evt_3']);
    expect(afterPage(state, page)).toMatchObject({ cursor: 'after-3', lastAt: anEvent(3).createdAt });
  });

  it('remembers the last five hundred events', () => {
    let state: PullState = {};
    for (let n = 0; n < 600; n += 1) state = afterEvent(state, anEvent(n));
    expect(state.seen).toHaveLength(500);
    expect(state.seen?.at(-1)).toBe('evt_599');
  });

  it('says that events are gone when its cursor has expired, and goes on with what is kept', () => {
    const lost = afterLostCursor({ cursor: 'old', seen: ['evt_1'], lastAt: since }, 'cursor_expired');
    expect(lost?.says).toContain('30 days');
    expect(lost?.state).toEqual({ seen: ['evt_1'], lastAt: since });
    expect(pullQuery(lost?.state ?? {}, [])).toMatchObject({ after: 'start' });
  });

  it('goes back an hour when the database of the engine was restored, and knows what it has had', () => {
    const lost = afterLostCursor({ cursor: 'newer', seen: ['evt_1'], lastAt: since }, 'cursor_invalid');
    expect(lost?.says).toContain('restored');
    expect(lost?.state).toEqual({ seen: ['evt_1'], lastAt: since, since: '2027-01-15T07:00:00.000Z' });
    expect(afterLostCursor({ cursor: 'newer' }, 'cursor_invalid')?.state).toEqual({});
    expect(afterLostCursor({ cursor: 'newer' }, 'too_many_waiting')).toBeUndefined();
  });

  it('waits longer after each failure, a minute at most', () => {
    expect([1, 2, 3, 20].map(pauseMs)).toEqual([1_000, 2_000, 4_000, 60_000]);
  });
});

describe('the key of a request of n8n', () => {
  const place = { instance: 'i', workflow: 'w', execution: '7', node: 'n', run: 0, item: 0 };

  it('is the same when the node is tried again, and another for each item, round, node and execution', () => {
    expect(idempotencyKey(place)).toBe(idempotencyKey({ ...place }));
    const others = [
      { ...place, item: 1 },
      { ...place, run: 1 },
      { ...place, node: 'm' },
      { ...place, execution: '8' },
      { ...place, workflow: 'x' },
      { ...place, instance: 'j' },
    ];
    expect(new Set([place, ...others].map(idempotencyKey)).size).toBe(7);
    expect(idempotencyKey(place)).toMatch(/^n8n-[0-9a-f]{64}$/);
  });
});
