import { describe, expect, it } from '@jest/globals';
import { daysOf } from '../../../packages/console/pages/agent/days.ts';
import { changesOf, typedOf } from '../../../packages/console/pages/agent/persona-form.ts';
import { detailOf, errorOf, paramsOf, stepOf } from '../../../packages/console/pages/automations/words.ts';
import { isEventName } from '../../../packages/console/pages/events/event-names.ts';
import { healthOf, lagsOf, readable } from '../../../packages/console/pages/events/words.ts';
import { keyIs } from '../../../packages/console/pages/operations/words.ts';
import { durationOf, unitOf } from '../../../packages/console/parts/times.ts';
import { whoDid } from '../../../packages/console/parts/who-did.ts';

describe('the page of endpoints', () => {
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

  it('shows how long deliveries took in the unit that says it best', () => {
    expect([0, 250.4, 12_500, 150_000, 9_000_000].map(durationOf)).toEqual([
      '0 ms',
      '250 ms',
      '13 s',
      '2.5 min',
      '2.5 h',
    ]);
    expect(unitOf(444_000)).toEqual({ name: 'min', size: 60_000 });
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
    expect(stepOf('sendTemplate')).toBe('Send a message');
    expect(stepOf('ofTomorrow')).toBe('Of tomorrow');
    expect(detailOf({ name: 'send', detail: { messageId: 'msg_dry_run_1', text: 'hello', says: '<b>Hi</b>' } })).toBe(
      'Text: <b>Hi</b>',
    );
    expect(detailOf({ name: 'sendButtons', detail: { messageId: 'msg_1', buttons: ['Yes', 'No'] } })).toBe(
      'Message: msg_1\nButtons: Yes, No',
    );
  });

  it('say the details of a step in words', () => {
    expect(detailOf({ name: 'sleepUntilWorkingHours', detail: { isOpen: false, opensInMs: 50_400_000 } })).toBe(
      'Open now: no\nOpens in: 14 h',
    );
    expect(detailOf({ name: 'remember', detail: { text: 'likes', says: 'Likes blue', days: 30 } })).toBe(
      'Text: Likes blue\nKept for: 30 days',
    );
    expect(detailOf({ name: 'label', detail: { label: 'Follow up', mode: 'add' } })).toBe(
      'Label: Follow up\nChange: Add',
    );
    expect(detailOf({ name: 'assignHuman', detail: { among: ['Ada', 'Ben'], reason: null } })).toBe(
      'Assigned to one of: Ada, Ben',
    );
  });

  it('say that nobody replied, and show no field without a value', () => {
    expect(detailOf({ name: 'waitForReply', detail: { messageId: null, choice: null } })).toBe('Nobody replied');
    expect(detailOf({ name: 'waitForReply', detail: {} })).toBe('');
    expect(detailOf({ name: 'waitForReply', detail: { messageId: 'msg_1', choice: null } })).toBe('Message: msg_1');
    expect(detailOf({ name: 'assignHuman', detail: { assignee: null, reason: 'asked' } })).toBe('Reason: asked');
  });

  it('show saved parameters by name, those of a group after its name', () => {
    expect(paramsOf({ texts: { greeting: 'Hello!', closedGreeting: null }, afterHours: 2, labels: ['A', 'B'] })).toBe(
      'Texts, greeting: Hello!\nAfter hours: 2\nLabels: A, B',
    );
    expect(paramsOf({})).toBe('');
  });

  it('say what the code of a dry run threw, and where', () => {
    expect(errorOf({ message: 'no price', at: 'remind.ts:42' })).toBe(
      'The code of the automation failed at remind.ts:42: no price',
    );
    expect(errorOf({ message: 'no price', at: null })).toBe('The code of the automation failed: no price');
  });

  it('say that a key is over once it was revoked or its time has come', () => {
    const now = new Date('2026-01-02T00:00:00Z');
    expect(keyIs({ revokedAt: null, expiresAt: null }, now)).toBe('works');
    expect(keyIs({ revokedAt: null, expiresAt: '2026-01-01T00:00:00Z' }, now)).toBe('expired');
    expect(keyIs({ revokedAt: '2026-01-01T00:00:00Z', expiresAt: null }, now)).toBe('revoked');
    expect(keyIs({ revokedAt: null, expiresAt: '2026-01-03T00:00:00Z' }, now)).toBe('works');
  });

  it('say who did what by the name that was given, else by the key', () => {
    const names = new Map([['abc', 'The till']]);
    const by = (actor: string | null, keyId: string | null) => whoDid({ actor, keyId }, names);
    expect(by('Maria', 'abc')).toBe('Maria');
    expect(by('api', 'abc')).toBe('key “The till”');
    expect(by('api', 'def')).toBe('key def');
    expect(by(null, 'clk_1')).toBe('link clk_1');
    expect(by('api', 'master')).toBe('the master key');
    expect(by(null, 'psk')).toBe('the pre-shared key');
    expect(by(null, null)).toBe('the engine');
    expect(by('api', null)).toBe('api');
  });
});
