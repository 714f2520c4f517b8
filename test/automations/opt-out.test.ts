import { describe, it } from '@jest/globals';
import { automationKit } from './automation-kit.ts';

const kit = await automationKit();
const GOODBYE = 'You will get no more messages from us. Write START if you want them again.';
const WELCOME = 'You will get our messages again. Write STOP if you do not want them any more.';

describe('opt-out', () => {
  it('says goodbye once to whoever writes STOP, and welcomes them back after START', async () => {
    await kit.enable('opt-out');
    const contact = kit.contact();
    await contact.says('START');
    await contact.expectSent();
    await contact.says('Stop!');
    await contact.expectSent(GOODBYE);
    await contact.says('stop');
    await contact.expectSent();
    await contact.says('start');
    await contact.expectSent(WELCOME);
    await contact.expectCompleted();
  });

  it('takes the words of the tenant, also while a person has the conversation, and only where they stand alone', async () => {
    await kit.enable('opt-out', { stopWords: ['Ruhe bitte'], texts: { goodbye: 'Gut.' } });
    const contact = kit.contact();
    await contact.says('STOP');
    await contact.isTakenOver('otto');
    await contact.says('Ruhe bitte, ich denke nach');
    await contact.expectSent();
    await contact.says('ruhe bitte');
    await contact.expectSent('Gut.');
  });
});
