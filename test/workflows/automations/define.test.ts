import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { PlainContext } from '../../../workflows/automations/context.ts';
import { defineAutomation } from '../../../workflows/automations/define.ts';

const asksFor = (name: string) =>
  defineAutomation({
    title: 'Ask',
    description: 'Asks.',
    version: 1,
    params: z.object({}),
    texts: {
      question: { description: 'What it asks.', usual: 'Can we help you?' },
      numbered: { description: 'A number.', usual: 'It is {number}.', values: ['number'] },
    },
    on: () => ({ event: 'message' }),
    async run(context) {
      // As code does whose types were not checked.
      const send: unknown = Reflect.get(context, 'send');
      if (typeof send === 'function') await send(name);
    },
  });

describe('a definition', () => {
  const sent: string[] = [];
  const send: PlainContext['send'] = async (text) => {
    sent.push(text);
    return 'msg_1';
  };
  const run = async (name: string): Promise<void> => {
    const code: unknown = Reflect.get(asksFor(name), 'run');
    if (typeof code === 'function') await code({ send }, {});
  };

  it('sends the texts that it has', async () => {
    await run('question');
    expect(sent).toEqual(['question']);
  });

  it('ends with a sentence where it names another, which no step could ever send', async () => {
    await expect(run('questin')).rejects.toThrow('The definition has no text questin.');
    expect(sent).toEqual(['question']);
  });

  it('ends with a sentence where it sends a template without its values, which would have a gap', async () => {
    await expect(run('numbered')).rejects.toThrow('The text numbered needs a value for {number}.');
    expect(sent).toEqual(['question']);
  });
});
