import { describe, it } from '@jest/globals';
import { automationKit } from './automation-kit.ts';

const kit = await automationKit();
const HOUR_MS = 3_600_000;
/** The phones that end so get what is sent, and do not read it. */
const DOES_NOT_READ = '0019';

describe('nudge-unread', () => {
  it('writes once more to somebody who has not read for hours', async () => {
    await kit.enable('nudge-unread', { afterHours: 3 });
    const contact = kit.contact({ lastDigits: DOES_NOT_READ });
    await contact.says('Hello');
    await kit.apiSays(contact, 'Your offer');
    await contact.expectSent('Your offer');
    await kit.after(2 * HOUR_MS);
    await contact.expectSent();
    await kit.after(1.5 * HOUR_MS);
    await contact.expectSent('Hello Ada, have you seen our message?');
    await kit.after(4 * HOUR_MS);
    await contact.expectRuns(1);
  });

  it('leaves alone whoever has read', async () => {
    await kit.enable('nudge-unread', { afterHours: 3 });
    const contact = kit.contact();
    await contact.says('Hello');
    // Time must not pass before: it would be unread for hours.
    await kit.apiSays(contact, 'Your offer', 'read');
    await kit.after(4 * HOUR_MS);
    await contact.expectRuns(0);
  });
});
