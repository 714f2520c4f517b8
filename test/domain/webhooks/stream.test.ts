import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPES } from '../../../domain/webhooks/event.ts';
import { END, READY, writeFrame } from '../../../domain/webhooks/stream/frames.ts';
import { isAfter, RecentEvents } from '../../../domain/webhooks/stream/recent-events.ts';
import { shownBy } from '../../../domain/webhooks/stream/shown.ts';

const at = (txid: string, place = '1') => ({ txid, place });

describe('the places of events', () => {
  it.each([
    [at('9', '5'), at('10', '1'), false],
    [at('10', '1'), at('9', '5'), true],
    [at('10', '-999999999999999999'), at('10', '1'), false],
    [at('10', '10'), at('10', '9'), true],
    [at('10', '9'), at('10', '9'), false],
    [at('18446744073709551615'), at('18446744073709551614'), true],
  ])('are in the order of whole numbers: %o after %o is %s', (one, other, after) => {
    expect(isAfter(one, other)).toBe(after);
  });
});

describe('the newest events of an agency', () => {
  const events = ['11', '12', '13', '14'].map((txid) => at(txid));

  it('are given to a reader from where it is, and to one ahead of them not yet', () => {
    const recent = new RecentEvents(at('10'));
    recent.add(events, at('20'), 0);
    expect(recent.since(at('10'))).toEqual(events);
    expect(recent.since(at('12'))).toEqual(events.slice(2));
    expect(recent.since(at('14'))).toEqual([]);
    expect(recent.since(at('25'))).toEqual([]);
  });

  it('are not given to a reader that would miss what was forgotten', () => {
    const recent = new RecentEvents(at('10'));
    expect(recent.since(at('9'))).toBeUndefined();
    recent.add(events.slice(0, 2), at('13', '0'), 1_000);
    recent.add(events.slice(2), at('20'), 2_000);
    recent.forget(1_500, 100);
    expect(recent.since(at('11'))).toBeUndefined();
    expect(recent.since(at('12'))).toEqual(events.slice(2));
    recent.forget(0, 1);
    expect(recent.since(at('12'))).toBeUndefined();
    expect(recent.since(at('13'))).toEqual(events.slice(3));
    recent.forget(3_000, 100);
    expect(recent.since(at('13'))).toBeUndefined();
    expect(recent.since(at('14'))).toEqual([]);
  });
});

describe('a stream', () => {
  const event = {
    type: 'message',
    tenantId: 't1',
    sessionId: 'ses_1',
    conversationId: 'cnv_1',
    createdAt: new Date('2026-01-01T00:00:00Z'),
    isTrial: false,
  };
  const all = { type: null, sessionId: null, conversationId: null, since: null, tests: false };
  const agency = { tenantId: null, sessionId: null };

  it.each([
    [{}, {}, {}, true],
    [{ tenantId: 't1' }, {}, {}, true],
    [{ tenantId: 't2' }, {}, {}, false],
    [{ tenantId: 't1', sessionId: 'ses_2' }, {}, {}, false],
    [{}, { sessionId: 'ses_1' }, {}, true],
    // A session's key that names another session is shown neither.
    [{ tenantId: 't1', sessionId: 'ses_1' }, { sessionId: 'ses_2' }, {}, false],
    [{}, { conversationId: 'cnv_2' }, {}, false],
    [{}, { type: 'message.ack' }, {}, false],
    [{}, { since: new Date('2026-01-01T00:00:00Z') }, {}, true],
    [{}, { since: new Date('2026-01-01T00:00:01Z') }, {}, false],
    [{}, {}, { isTrial: true }, false],
    [{}, { tests: true }, { isTrial: true }, true],
    // An event about an endpoint is of no tenant.
    [{}, {}, { tenantId: null, sessionId: null, conversationId: null }, true],
    [{ tenantId: 't1' }, {}, { tenantId: null, sessionId: null, conversationId: null }, false],
  ])('of %o that asks for %o shows an event with %o: %s', (reach, filter, of, shows) => {
    expect(shownBy({ ...agency, ...reach }, { ...all, ...filter }).shows({ ...event, ...of })).toBe(shows);
  });

  it('shares with others that show the same, and with nobody else', () => {
    const names = [
      shownBy(agency, all),
      shownBy({ tenantId: 't1', sessionId: null }, all),
      shownBy({ tenantId: null, sessionId: 't1' }, all),
      shownBy(agency, { ...all, sessionId: 't1' }),
      shownBy(agency, { ...all, conversationId: 't1' }),
      shownBy(agency, { ...all, tests: true }),
      shownBy(agency, { ...all, since: new Date(0) }),
    ].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(shownBy(agency, all).name).toBe(names[0]);
  });

  it('has frames of its own that no type of events is called like', () => {
    expect(EVENT_TYPES).not.toContain(READY);
    expect(EVENT_TYPES).not.toContain(END);
  });

  it('writes each frame as one block, whatever is in its data', () => {
    const frame = writeFrame({ id: 'abc', event: 'message', data: { id: 'a\n\nevent: end\r\n' }, retry: 5 });
    expect(frame.split('\n')).toEqual([
      'retry: 5',
      'id: abc',
      'event: message',
      String.raw`data: {"id":"a\n\nevent: end\r\n"}`,
      '',
      '',
    ]);
  });
});
