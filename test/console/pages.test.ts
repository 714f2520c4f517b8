import { describe, expect, it } from '@jest/globals';
import { daysOf } from '../../console/pages/agent/days.ts';
import { changesOf, typedOf } from '../../console/pages/agent/persona-form.ts';
import { detailOf, stepOf } from '../../console/pages/automations/words.ts';
import { isEventName } from '../../console/pages/events/event-names.ts';
import { classIs, healthOf, lagsOf, readable } from '../../console/pages/events/words.ts';
import { keyIs } from '../../console/pages/operations/words.ts';
import { ATTEMPT_CLASS_TEXTS } from '../../domain/webhooks/attempt-texts.ts';

describe('the page of endpoints', () => {
  it('has a sentence for every class of an attempt', () => {
    expect(
      Object.keys(ATTEMPT_CLASS_TEXTS)
        .map(classIs)
        .filter((text) => !text.includes(' ')),
    ).toEqual([]);
    expect(classIs('of_tomorrow')).toBe('of_tomorrow');
  });

  it('says that an endpoint is paused before how its last attempts went', () => {
    expect(healthOf({ status: 'paused', health: { state: 'open' } })).toEqual(['warn', 'Paused']);
    expect(healthOf({ status: 'active', health: { state: 'healthy' } })).toEqual(['good', 'Healthy']);
  });

  it('measures from the event to the answer, of what was delivered alone', () => {
    const eventAt = '2026-01-01T10:00:00Z';
    const endedAt = '2026-01-01T10:00:02Z';
    expect(
      lagsOf([
        { status: 'delivered', eventAt, endedAt },
        { status: 'failed', eventAt, endedAt },
        { status: 'pending', eventAt, endedAt: null },
      ]),
    ).toEqual([2_000]);
  });

  it('shows a body as it is where it is no JSON, and asks only for what may be the name of an event', () => {
    expect(readable('<b>{')).toBe('<b>{');
    expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(['message', 'message.ack', '../x', '', undefined].map(isEventName)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('the editor of a persona', () => {
  const persona = {
    agentName: 'Ada',
    temperature: 0.5,
    active: true,
    languages: ['de'],
    workingHours: [{ day: 'monday', from: '09:00', to: '17:00' }],
  };

  it('asks for nothing where nothing was changed', () => {
    expect(changesOf(persona, typedOf(persona))).toEqual({});
  });

  it('asks for what was changed alone, in the form of the engine', () => {
    const typed = {
      ...typedOf(persona),
      agentName: '<script>',
      temperature: '1',
      active: 'false',
      languages: 'de\n en \n',
      workingHours: 'monday 09:00 17:00\nFriday 10:00-12:00',
    };
    expect(changesOf(persona, typed)).toEqual({
      agentName: '<script>',
      temperature: 1,
      active: false,
      languages: ['de', 'en'],
      workingHours: [
        { day: 'monday', from: '09:00', to: '17:00' },
        { day: 'friday', from: '10:00', to: '12:00' },
      ],
    });
    expect(changesOf(persona, { ...typedOf(persona), workingHours: '' })).toEqual({ workingHours: null });
  });

  it('shows every day of a chart, also those without use', () => {
    const used = { day: '2026-02-28', replies: 1, tokens: 2, costMicros: 3 };
    expect(daysOf([used], 3, new Date('2026-03-01T00:30:00Z')).map(({ day, tokens }) => [day, tokens])).toEqual([
      ['2026-02-27', 0],
      ['2026-02-28', 2],
      ['2026-03-01', 0],
    ]);
  });
});

describe('words of runs and keys', () => {
  it('read a step as a sentence', () => {
    expect(stepOf('sendMessage')).toBe('Send message');
    expect(detailOf({ says: '<b>Hi</b>', times: 2 })).toBe('Says: <b>Hi</b>\nTimes: 2');
  });

  it('say that a key is over once it was revoked or its time has come', () => {
    const now = new Date('2026-01-02T00:00:00Z');
    expect(keyIs({ revokedAt: null, expiresAt: null }, now)).toBe('works');
    expect(keyIs({ revokedAt: null, expiresAt: '2026-01-01T00:00:00Z' }, now)).toBe('expired');
    expect(keyIs({ revokedAt: '2026-01-01T00:00:00Z', expiresAt: null }, now)).toBe('revoked');
    expect(keyIs({ revokedAt: null, expiresAt: '2026-01-03T00:00:00Z' }, now)).toBe('works');
  });
});
