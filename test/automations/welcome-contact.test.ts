import { describe, it } from '@jest/globals';
import { automationKit } from './automation-kit.ts';

const kit = await automationKit();
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

describe('welcome-contact', () => {
  it('greets whoever writes for the first time, once and by name', async () => {
    await kit.enable('welcome-contact', { texts: { greeting: 'Welcome, {name}!' } });
    const contact = kit.contact({ name: 'Grace' });
    await contact.says('Hello');
    await contact.says('Are you there?');
    await contact.expectSent('Welcome, Grace!');
    await contact.expectCompleted();
    await contact.expectRuns(1);
  });

  it('has other words for whoever writes outside of the working hours', async () => {
    await kit.enable('welcome-contact', { texts: { greeting: 'Welcome!', closedGreeting: 'We are away.' } });
    await kit.isThere([]);
    const contact = kit.contact();
    await contact.says('Hello');
    await contact.expectSent('We are away.');
    await kit.isThere(DAYS.map((day) => ({ day, from: '00:00', to: '24:00' })));
    const other = kit.contact();
    await other.says('Hello');
    await other.expectSent('Welcome!');
    await kit.isThere(null);
  });
});
