import { describe, it } from '@jest/globals';
import { automationKit } from './automation-kit.ts';

const kit = await automationKit();
const QUESTION = 'How was it? Please answer with a number from 1 (bad) to 5 (very good).';
const SORRY = 'We are sorry. Someone will write to you.';

/** Somebody who was helped by a person, who has just given the conversation back. */
async function aHelpedContact() {
  const contact = kit.contact();
  await contact.says('Good morning');
  await contact.isTakenOver('otto');
  await contact.isGivenBack();
  return contact;
}

describe('ask-satisfaction', () => {
  it('asks once a person has given the conversation back, and thanks for a good score', async () => {
    await kit.enable('ask-satisfaction');
    const contact = await aHelpedContact();
    await contact.expectSent(QUESTION);
    await contact.expectWaiting('reply');
    await contact.says('5!');
    await contact.expectSent('Thank you!');
    await contact.expectReleased();
    await contact.expectCompleted();
  });

  it('brings a person after a bad score', async () => {
    await kit.enable('ask-satisfaction', { badUpTo: 3, assignee: 'anna' });
    const contact = await aHelpedContact();
    await contact.says(' 3. ');
    await contact.expectSent(QUESTION, SORRY);
    await contact.expectAssigned('anna');
    await contact.expectCompleted();
  });

  it('asks once more when the answer is no number, and then no more', async () => {
    await kit.enable('ask-satisfaction');
    const contact = await aHelpedContact();
    await contact.says('Fine, I think');
    await contact.expectSent(QUESTION, 'Please answer with a number from 1 (bad) to 5 (very good).');
    await contact.says('I have said it');
    await contact.expectSent();
    await contact.expectCompleted();
  });

  it('waits for an answer for as long as the tenant wants', async () => {
    await kit.enable('ask-satisfaction', { answerWithinHours: 168 });
    const contact = await aHelpedContact();
    await kit.afterDays(6);
    await contact.expectWaiting('reply');
    await kit.afterDays(1);
    await contact.expectCompleted();
    await contact.says('1');
    await contact.expectSent(QUESTION);
  });

  it('says nothing more once a person has taken the conversation over', async () => {
    await kit.enable('ask-satisfaction');
    const contact = await aHelpedContact();
    await contact.isTakenOver('otto');
    await contact.says('1');
    await contact.expectEnded('cancelled', 'taken_over');
    await contact.expectSent(QUESTION);
  });
});
