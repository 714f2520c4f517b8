import { describe, expect, it } from '@jest/globals';
import { Catalogue } from '../../domain/automations/definition.ts';
import type { Definition } from '../../domain/automations/definition.ts';
import type { Trigger } from '../../domain/automations/trigger.ts';
import { askSatisfaction } from '../../workflows/automations/ask-satisfaction.ts';
import { followUpSilentLead } from '../../workflows/automations/follow-up-silent-lead.ts';
import { welcomeContact } from '../../workflows/automations/welcome-contact.ts';
import { automationKit } from './automation-kit.ts';

const DAY_MS = 86_400_000;
/** Far from now, so that the milliseconds that a test takes change nothing about how often it comes. */
const AT = new Date(Date.now() + 6 * 3_600_000).toISOString().slice(11, 16);
const MONDAY = 1;

/** The automation as if its author had written another trigger. The automation's own code runs. */
function startedBy(definition: Definition, trigger: Trigger): Definition {
  return {
    ...definition,
    configure(given) {
      const configured = definition.configure(given);
      return 'wrong' in configured ? configured : { ...configured, trigger };
    },
  };
}

const kit = await automationKit({
  automations: new Catalogue({
    welcomeContact: startedBy(welcomeContact, { event: 'schedule', at: AT }),
    askSatisfaction: startedBy(askSatisfaction, { event: 'schedule', at: AT, days: [MONDAY] }),
    followUpSilentLead: startedBy(followUpSilentLead, { event: 'unanswered', forMinutes: 30 }),
  }),
});

describe('while time passes in a test of an automation', () => {
  it('a schedule begins a run on each day, at its time', async () => {
    await kit.enable('welcome-contact');
    const before = kit.now();
    await kit.afterDays(2);
    const runs = await kit.runs();
    expect(runs.map(({ begunAt }) => begunAt.toISOString().slice(11, 16))).toEqual([AT, AT]);
    const [first, second] = runs.map(({ begunAt }) => begunAt.getTime());
    expect(first).toBeGreaterThan(before.getTime());
    expect(Math.round(((second ?? 0) - (first ?? 0)) / DAY_MS)).toBe(1);
  });

  it('a schedule begins a run on its days, and on no other', async () => {
    await kit.enable('ask-satisfaction');
    await kit.afterDays(14);
    const runs = await kit.runs();
    expect(runs.map(({ begunAt }) => begunAt.getUTCDay())).toEqual([MONDAY, MONDAY]);
  });

  it('a silence begins a run within it, and what the run waits for is over in it, too', async () => {
    await kit.enable('follow-up-silent-lead', { afterHours: 72 });
    const contact = kit.contact();
    await contact.says('How much is it?');
    await kit.afterDays(4);
    await contact.expectSent('Hello Ada, do you still need our help?');
    await contact.expectRuns(1);
  });
});
