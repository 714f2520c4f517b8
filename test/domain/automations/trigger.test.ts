import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { definitionOf } from '../../../domain/automations/definition.ts';
import { EndpointParam } from '../../../domain/automations/endpoint-param.ts';
import { filled, saidOf, textWith } from '../../../domain/automations/texts.ts';
import { chosen, hasText } from '../../../domain/automations/text-filter.ts';
import { matches, optOutOf, Trigger } from '../../../domain/automations/trigger.ts';

const message = (body: string, kind = 'text') => ({ event: 'message', body, kind });

describe('the trigger of an automation', () => {
  it.each([
    ['equal', 'Stop!', true],
    ['equal', 'stop it', false],
    ['beginning', 'STOP it', true],
    ['beginning', 'do stop', false],
    ['containing', 'please do stop now', true],
    ['containing', 'go on', false],
  ] as const)('takes a text that is %s to one of its words: %s', (is, body, expected) => {
    expect(matches({ event: 'message', text: { is, words: ['stop'] } }, message(body))).toBe(expected);
  });

  it('takes only the kinds that it names, and only its own event', () => {
    expect(matches({ event: 'message', kinds: ['image'] }, message('', 'image'))).toBe(true);
    expect(matches({ event: 'message', kinds: ['image'] }, message('Hello'))).toBe(false);
    expect(matches({ event: 'conversation.released' }, message('Hello'))).toBe(false);
    expect(matches({ event: 'request' }, message('Hello'))).toBe(false);
  });

  it.each([
    ['a label that is put on a chat', { event: 'conversation.labelled', label: 'VIP' }, { labelsAdded: ['vip'] }, true],
    ['another label', { event: 'conversation.labelled', label: 'VIP' }, { labelsAdded: ['new'] }, false],
    ['a message that is read', { event: 'message.ack', status: 'read' }, { status: 'read' }, true],
    ['a message that is sent', { event: 'message.ack', status: 'read' }, { status: 'sent' }, false],
    ['a session that fails', { event: 'session.status', statuses: ['FAILED'] }, { status: 'FAILED' }, true],
    ['a session that works', { event: 'session.status', statuses: ['FAILED'] }, { status: 'WORKING' }, false],
  ] as const)('tells %s from others', (_what, trigger, happening, expected) => {
    expect(matches(Trigger.parse(trigger), { event: trigger.event, ...happening })).toBe(expected);
  });

  it('that is for opt-outs takes their words alone, and says which way they go', () => {
    const trigger = Trigger.parse({ event: 'message', optOut: { stopWords: ['stop'], startWords: ['start'] } });
    expect(['Stop!', 'START', 'please stop'].map((body) => optOutOf(trigger, body))).toEqual(['out', 'in', null]);
    expect(matches(trigger, message('please stop'))).toBe(false);
    expect(matches(trigger, message('stop'))).toBe(true);
  });

  it('leaves out the marks around a text, however many they are, and none within it', () => {
    const marks = '!? '.repeat(20_000);
    expect(chosen(['go on'], `${marks}Go on${marks}`)).toBe('go on');
    expect(chosen(['go on'], `go${marks}on`)).toBeNull();
  });

  it('knows a choice by its words alone', () => {
    expect(chosen(['1', '2'], ' 2. ')).toBe('2');
    expect(chosen(['1', '2'], '12')).toBeNull();
  });
});

describe('a text of an automation', () => {
  it('gets the name of the contact, or goes without', () => {
    expect(filled('Hello {name}, welcome', { name: 'Ada' })).toBe('Hello Ada, welcome');
    expect(filled('Hello {name}, welcome', { name: null })).toBe('Hello, welcome');
  });

  it('shows a time as the date and the time of day where the tenant is', () => {
    const at = '2026-03-02T23:30:00Z';
    const said = saidOf({ at, doctor: 'Grace' }, { language: 'de', timeZone: 'Europe/Berlin' });
    expect(said).toEqual({ date: 'Dienstag, 3. März 2026', time: '00:30', doctor: 'Grace' });
  });

  it('is refused with a placeholder that nobody fills in', () => {
    expect(textWith().safeParse('Hello {name}').success).toBe(true);
    expect(textWith().safeParse('Hello {surname}').success).toBe(false);
    expect(textWith(['surname']).safeParse('Hello {surname}').success).toBe(true);
  });
});

describe('the words of a filter', () => {
  it('are compared whatever their capitals and however an accent is written, but not without it', () => {
    const filter = { is: 'equal' as const, words: ['Naïve'] };
    expect(hasText(filter, 'NAÏVE!')).toBe(true);
    expect(hasText(filter, 'nai\u0308ve')).toBe(true);
    expect(hasText(filter, 'naive')).toBe(false);
  });
});

describe('what `on` returns', () => {
  const about = { title: 'Weekly', description: 'Weekly.', version: 1, texts: {} };
  it('is refused with the file where the default parameters make no trigger', () => {
    const params = z.object({});
    expect(() => definitionOf({ ...about, params, on: () => ({ event: 'schedule', at: '9:00' }) })).toThrow(
      /^`on` must return a trigger: \/on\/at \(/,
    );
  });

  it('is refused with the parameters of a tenant that make no trigger', () => {
    const params = z.object({ at: z.string().default('09:00') });
    const weekly = definitionOf({ ...about, params, on: ({ at }) => ({ event: 'schedule', at }) });
    expect(weekly.configure({ at: '10:00' })).toMatchObject({ trigger: { event: 'schedule', at: '10:00' } });
    expect(weekly.configure({ at: '9:00' })).toEqual({
      wrong: [{ pointer: '/params', message: expect.stringMatching(/^make a trigger that is not valid: \/on\/at \(/) }],
    });
  });
});

describe('an `on` that throws', () => {
  it('refuses the parameters of the tenant, and begins nothing', () => {
    const params = z.object({ days: z.array(z.int()).default([1]) });
    const weekly = definitionOf({
      title: 'Weekly',
      description: 'Weekly.',
      version: 1,
      texts: {},
      params,
      on: ({ days: [first] }) => {
        if (first === undefined) throw new Error('It needs a day.');
        return { event: 'schedule', at: '09:00', days: [first] };
      },
    });
    expect(weekly.configure({ days: [] })).toEqual({
      wrong: [{ pointer: '/params', message: expect.stringMatching(/^make a trigger that is not valid: \/on \(/) }],
    });
  });
});

describe('a parameter that names an endpoint', () => {
  it('takes the id of one, and nothing of another form', () => {
    const endpoint = EndpointParam.optional();
    expect(endpoint.safeParse('whe_019a8f2f-0c00-7096-9f51-8dae2f405172').success).toBe(true);
    expect(endpoint.safeParse(undefined).success).toBe(true);
    expect(endpoint.safeParse('https://shop.example/hook').error?.issues).toMatchObject([
      { message: 'must be the id of an endpoint, which begins with whe_' },
    ]);
  });
});
