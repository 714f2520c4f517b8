import { describe, it } from '@jest/globals';
import { automationKit } from './automation-kit.ts';

const kit = await automationKit();
const HOUR_MS = 3_600_000;
const REMINDER = 'See you at the appointed time, Ada.';

/** Somebody with an appointment in so many hours. */
async function anAppointment(inHours: number, key: string) {
  await kit.enable('remind-of-appointment', { texts: { reminder: 'See you at the appointed time, {name}.' } });
  const contact = kit.contact();
  await contact.says('Good morning');
  await contact.isRunFor({ key, input: { at: inFuture(inHours) } });
  return contact;
}

const inFuture = (inHours: number): string => new Date(kit.now().getTime() + inHours * HOUR_MS).toISOString();

describe('remind-of-appointment', () => {
  it('reminds a day and an hour before', async () => {
    const contact = await anAppointment(26, 'first');
    await kit.after(1 * HOUR_MS);
    await contact.expectSent();
    await kit.after(2 * HOUR_MS);
    await contact.expectSent(REMINDER);
    await kit.after(23 * HOUR_MS);
    await contact.expectSent(REMINDER);
    await contact.expectCompleted();
  });

  it('reminds of the new time when the appointment is moved by its key, and not of the old one', async () => {
    const contact = await anAppointment(26, 'moved');
    await contact.isRunFor({ key: 'moved', input: { at: inFuture(72) } });
    await kit.after(4 * HOUR_MS);
    await contact.expectSent();
    await kit.after(48 * HOUR_MS);
    await contact.expectSent(REMINDER);
    await contact.isCalledOff('moved');
    await kit.after(48 * HOUR_MS);
    await contact.expectSent();
    await contact.expectEnded('cancelled', 'requested');
  });

  it('reminds once of an appointment that is made on the same day', async () => {
    const contact = await anAppointment(5, 'soon');
    await kit.after(6 * HOUR_MS);
    await contact.expectSent(REMINDER);
    await contact.expectCompleted();
  });
});
