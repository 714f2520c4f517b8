import { z } from 'zod';
import { hours } from '../../domain/automations/time.ts';
import { defineAutomation } from './define.ts';

export const remindOfAppointment = defineAutomation({
  title: 'Remind contacts of an appointment',
  description:
    'Reminds a contact some hours before an appointment. Start it with a request that has the time and a key of ' +
    'your own. Another request with the same key moves the appointment, and `POST ' +
    '/api/v1/automation-executions/cancel` cancels it.',
  version: 1,
  params: z.object({
    hoursBefore: z.array(z.int().min(1).max(720)).min(1).max(5).default([24, 1]).meta({
      description:
        'How many hours before. Reminders whose time is already over when the appointment is made are skipped.',
    }),
    language: z
      .string()
      .max(35)
      .refine(isLanguage, 'is not a language tag')
      .default('en-GB')
      .meta({ description: 'The language of the date, such as `en-GB` or `de`.' }),
  }),
  input: z.object({
    at: z.iso
      .datetime({ offset: true })
      .meta({ description: 'When the appointment is.', examples: ['2026-03-02T09:30:00+01:00'] }),
  }),
  texts: {
    reminder: { description: 'The text.', usual: 'Hello {name}, we expect you on {date} at {time}.' },
  },
  on: () => ({ event: 'request' }),
  besidePeople: true,
  async run(context, { hoursBefore }) {
    const at = Date.parse(String(context.input['at']));
    for (const before of hoursBefore.toSorted((a, b) => b - a)) {
      const waitMs = at - hours(before) - context.now().getTime();
      if (waitMs < 0) continue;
      await context.sleep(waitMs);
      await context.send('reminder', { transactional: true });
    }
  },
});

function isLanguage(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
