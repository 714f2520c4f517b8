/** The code of a new automation, which waits and sends as most automations do. */
export function codeOf(name: string, exported: string): string {
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;
  return `import { z } from 'zod';
import { hours } from '../../domain/automations/time.ts';
import { defineAutomation } from './define.ts';

export const ${exported} = defineAutomation({
  title: '${title}',
  description: 'Asks a contact who wrote for the first time and has not written since.',
  version: 1,
  params: z.object({
    afterHours: z.int().min(1).max(720).default(24).meta({ description: 'How many hours the contact must be silent.' }),
  }),
  texts: {
    question: { description: 'What it asks.', usual: 'Hello {name}, can we help you?' },
  },
  on: () => ({ event: 'message', isFirst: true }),
  async run(context, { afterHours }) {
    const reply = await context.waitForReply({ timeoutMs: hours(afterHours) });
    if (reply === null) await context.send('question');
  },
});
`;
}

/** The test of a new automation. It passes unchanged. */
export function testOf(name: string): string {
  return `import { describe, it } from '@jest/globals';
import { automationKit } from './automation-kit.ts';

const kit = await automationKit();

describe('${name}', () => {
  it('asks a contact who is silent for two days, and not before', async () => {
    await kit.enable('${name}', { afterHours: 48 });
    const contact = kit.contact({ name: 'Ada' });
    await contact.says('Good morning');
    await kit.afterDays(1);
    await contact.expectSent();
    await kit.afterDays(1);
    await contact.expectSent('Hello Ada, can we help you?');
    await contact.expectCompleted();
  });

  it('asks nobody who has written again', async () => {
    await kit.enable('${name}');
    const contact = kit.contact();
    await contact.says('Good morning');
    await contact.says('I have found it.');
    await contact.expectSent();
    await contact.expectCompleted();
  });
});
`;
}
