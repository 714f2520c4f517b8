import { describe, expect, it } from '@jest/globals';
import { automationKit } from './automation-kit.ts';

const kit = await automationKit();
const MINUTE_MS = 60_000;

describe('assign-unanswered', () => {
  it('gives a conversation to a person once nobody has answered for a while, and tells the contact', async () => {
    await kit.enable('assign-unanswered', { afterMinutes: 10, assignees: ['anna'], tellsContact: true });
    const contact = kit.contact();
    await contact.says('Hello?');
    await kit.after(5 * MINUTE_MS);
    await contact.expectSent();
    await kit.after(6 * MINUTE_MS);
    await contact.expectAssigned('anna');
    await contact.expectSent('Thank you for your patience. Someone will answer you soon.');
    await kit.after(20 * MINUTE_MS);
    await contact.expectRuns(1);
  });

  it('does so within a day of which nothing else is seen', async () => {
    await kit.enable('assign-unanswered', { afterMinutes: 30, assignees: ['dora'] });
    const contact = kit.contact();
    await contact.says('Hello?');
    await kit.afterDays(1);
    await contact.expectAssigned('dora');
    await contact.expectRuns(1);
  });

  it('leaves alone what was answered', async () => {
    await kit.enable('assign-unanswered', { afterMinutes: 10 });
    const contact = kit.contact();
    await contact.says('Hello?');
    await kit.apiSays(contact, 'Good morning');
    await kit.afterDays(1);
    await contact.expectRuns(0);
  });

  it('gives the conversations of two who wait to two who have none', async () => {
    await kit.enable('assign-unanswered', { afterMinutes: 10, assignees: ['bert', 'carla'] });
    const waiting = [kit.contact(), kit.contact()];
    for (const contact of waiting) {
      await contact.says('Is anybody there?');
      await kit.after(11 * MINUTE_MS);
    }
    const who = await Promise.all(waiting.map((contact) => contact.assignee()));
    expect(new Set(who)).toEqual(new Set(['bert', 'carla']));
  });
});
