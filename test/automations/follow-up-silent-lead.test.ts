import { describe, it } from '@jest/globals';
import { automationKit } from './automation-kit.ts';

const kit = await automationKit();
const QUESTION = 'Hello Ada, do you still need our help?';

describe('follow-up-silent-lead', () => {
  it('asks somebody again who has been silent for three days, and not before', async () => {
    await kit.enable('follow-up-silent-lead', { afterHours: 72 });
    const contact = kit.contact();
    await contact.says('How much is it?');
    await kit.afterDays(2);
    await contact.expectSent();
    await kit.afterDays(1);
    await contact.expectSent(QUESTION);
    await contact.expectCompleted();
  });

  it('asks nobody who has written meanwhile', async () => {
    await kit.enable('follow-up-silent-lead', { when: { is: 'containing', words: ['price'] } });
    const contact = kit.contact();
    await contact.says('What is the price?');
    await contact.says('I mean of the blue one');
    await kit.afterDays(2);
    await contact.expectSent();
    await contact.expectCompleted();
    await contact.expectRuns(1);
  });

  it('asks as often as the tenant wants, a day apart', async () => {
    await kit.enable('follow-up-silent-lead', { times: 3 });
    const contact = kit.contact({ name: 'Grace' });
    await contact.says('Hello');
    await kit.afterDays(10);
    const question = QUESTION.replace('Ada', 'Grace');
    await contact.expectSent(question, question, question);
  });

  it('is over as soon as a person takes the chat over, and says nothing after the release', async () => {
    await kit.enable('follow-up-silent-lead', {});
    const contact = kit.contact();
    await contact.says('Good morning');
    await contact.isTakenOver('anna');
    await contact.expectEnded('cancelled', 'taken_over');
    await contact.isGivenBack();
    await kit.afterDays(3);
    await contact.expectSent();
  });
});
