import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildPrompt, promptText } from '../../../domain/agent/prompt/prompt.ts';
import type { ContextMessage, PromptContext } from '../../../domain/agent/prompt/context.ts';
import { approximateTokens } from '../../../domain/agent/prompt/limits.ts';
import { defaultPersona } from '../../../domain/agent/sales-agent.ts';

const persona = { ...defaultPersona('m'), agentName: 'Ada', systemPrompt: 'You sell boats.' };
const now = new Date('2026-11-21T18:05:00Z');
const message = (body: string, more: Partial<ContextMessage> = {}): ContextMessage => ({
  id: 'msg_1',
  direction: 'in',
  kind: 'text',
  body,
  at: new Date('2026-11-21T18:03:00Z'),
  media: null,
  ...more,
});
const context = (more: Partial<PromptContext> = {}): PromptContext => ({
  messages: [message('Hello')],
  memories: [],
  tenantFacts: [],
  contactName: null,
  now,
  timeZone: 'Europe/Berlin',
  ...more,
});
const memory = (id: string, fact: string) => ({
  id,
  fact,
  category: 'preference',
  source: 'ai_extracted',
  confidence: 0.8,
});
const media = (more: object) => ({
  mimeType: null,
  fileName: null,
  seconds: null,
  url: null,
  storedKey: null,
  ...more,
});

describe('the prompt of the agent', () => {
  it('has the persona and the rules as instructions, and people only as messages', () => {
    const { instructions, messages } = buildPrompt(
      { ...persona, languages: ['de', 'en'], allowedLinks: ['boats.example'] },
      context({
        messages: [message('Do you have boats?'), message('Yes.', { direction: 'out' }), message('Red ones?')],
        memories: [memory('mem_1', 'likes red')],
        contactName: 'Bo',
      }),
    );
    for (const words of ['You sell boats.', 'Ada', 'de, en', 'boats.example', 'handoff', 'silence'])
      expect(instructions).toContain(words);
    for (const words of ['Red ones', 'likes red', 'Bo']) expect(instructions).not.toContain(words);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[0]?.content).toContain('<now>Saturday');
    expect(messages[0]?.content).toContain('19:05 (Europe/Berlin)');
    expect(messages[0]?.content).toContain('<customer-name>Bo</customer-name>');
    expect(messages[0]?.content).toContain(
      '<memory category="preference" source="ai_extracted" confidence="0.8">likes red</memory>',
    );
    expect(messages[0]?.content).toContain('>Do you have boats?</message>');
    expect(messages[1]?.content).toBe('Yes.');
    expect(messages[2]?.content).toMatch(/^<message from="customer" at="[^"]*19:03">Red ones\?<\/message>$/);
  });

  it('says of an agreement that only the customer tells of it, and of nothing that somebody entered', () => {
    const agreed = { ...memory('mem_1', 'gets 20 % off'), category: 'agreement' };
    const entered = { ...agreed, id: 'mem_2', source: 'manual' };
    const { messages } = buildPrompt(persona, context({ memories: [agreed, entered] }));
    expect(messages[0]?.content.match(/claimed-by="customer"/g)).toHaveLength(1);
    expect(messages[0]?.content).toContain(
      '<memory category="agreement" source="ai_extracted" confidence="0.8" claimed-by="customer">',
    );
  });

  it('cuts names and captions between characters', () => {
    const name = `${'x'.repeat(99)}😀`;
    const { messages } = buildPrompt(persona, context({ contactName: name }));
    expect(messages[0]?.content).toContain(`>${'x'.repeat(99)}</customer-name>`);
    expect(messages[0]?.content.isWellFormed()).toBe(true);
  });

  it.each([
    ['message', (words: string) => context({ messages: [message(words)] })],
    ['caption', (words: string) => context({ messages: [message(words, { kind: 'image' })] })],
    [
      'file name',
      (words: string) => context({ messages: [message('', { kind: 'document', media: media({ fileName: words }) })] }),
    ],
    ['name', (words: string) => context({ contactName: words })],
    ['memory', (words: string) => context({ memories: [memory('mem_1', words)] })],
    ['fact', (words: string) => context({ tenantFacts: [memory('mem_2', words)] })],
  ])('gives a %s no way out of its quotation', (_what, made) => {
    const escape = fc
      .array(
        fc.constantFrom('</message>', '</memory>', '</context>', '<', '>', '"', '＜/message>', 'x', '\n', '&lt;', ']'),
      )
      .map((parts) => parts.join(''));
    const tags = (text: string) => text.match(/[<＜﹤]\/?[a-z-]*/g);
    const plain = buildPrompt(persona, made('plain'));
    fc.assert(
      fc.property(escape, (words) => {
        const prompt = buildPrompt(persona, made(`x${words}`));
        expect(prompt.instructions).toBe(plain.instructions);
        expect(tags(prompt.messages[0]?.content ?? '')).toEqual(tags(plain.messages[0]?.content ?? ''));
      }),
      { numRuns: 50 },
    );
  });

  it('shows no characters that people do not see', () => {
    const { messages } = buildPrompt(
      persona,
      context({ messages: [message('Hi\u{E0069}\u{E0067}\u202E there\u200B')] }),
    );
    expect(messages[0]?.content).toContain('>Hi there<');
  });

  it('names what is no text, with its caption', () => {
    const { messages } = buildPrompt(
      persona,
      context({
        messages: [
          message('Look', { kind: 'image' }),
          message('', { kind: 'audio', media: media({ seconds: 12.4 }) }),
          message('', { kind: 'document', media: media({ fileName: 'offer [1].pdf' }) }),
          message('', { kind: 'sticker' }),
          message('', { kind: 'other' }),
        ],
      }),
    );
    const words = [...(messages[0]?.content ?? '').matchAll(/>([^<]*)<\/message>/g)].map(([, inner]) => inner);
    expect(words).toEqual([
      '[image] Look',
      '[voice message, 12 s]',
      "[document: offer '1'.pdf]",
      '[sticker]',
      '[message that cannot be shown]',
    ]);
  });

  it('says what a message holds beside its words', () => {
    const messages = [
      message('', { kind: 'location', holds: 'location: Shop [2]' }),
      message('Hello', { holds: null }),
    ];
    const [first] = buildPrompt(persona, context({ messages })).messages;
    const words = [...(first?.content ?? '').matchAll(/>([^<]*)<\/message>/g)].map(([, inner]) => inner);
    expect(words).toEqual(["[location: Shop '2']", 'Hello']);
  });

  it('carries what the model can see or hear with the message', () => {
    const bytes = new Uint8Array([1, 2]);
    const { messages } = buildPrompt(
      persona,
      context({ messages: [message('Look', { kind: 'image', media: media({ mimeType: 'image/png', bytes }) })] }),
    );
    expect(messages[0]).toMatchObject({ media: [{ mimeType: 'image/png', bytes }] });
    expect(messages[0]?.content).toContain('[image, attached] Look');
  });

  it('leaves out the oldest messages first when it is too long, and never the newest', () => {
    const messages = Array.from({ length: 40 }, (_, index) => message(`number ${index} ${'x'.repeat(900)}`));
    const prompt = buildPrompt(persona, context({ messages }), { maxPromptTokens: 4_000 });
    const text = promptText(prompt);
    expect(approximateTokens(text)).toBeLessThanOrEqual(4_000);
    expect(text).toContain('number 39');
    expect(prompt.messageIds.length).toBeLessThan(40);
    expect(text).not.toContain('number 0 ');
    const least = buildPrompt(persona, context({ messages: [message('x'.repeat(50_000))] }), { maxPromptTokens: 1 });
    expect(least.messages[0]?.content).toContain('xxx');
    expect(least.messages[0]?.content.length).toBeLessThan(4_500);
  });

  it('shows as many memories as there is room for, and says which', () => {
    const memories = Array.from({ length: 100 }, (_, index) =>
      memory(`mem_${index}`, `fact ${index} ${'x'.repeat(250)}`),
    );
    const prompt = buildPrompt(persona, context({ memories }), { maxPromptTokens: 4_000 });
    expect(prompt.memoryIds.length).toBeGreaterThan(2);
    expect(prompt.memoryIds.length).toBeLessThan(20);
    expect(prompt.memoryIds[0]).toBe('mem_0');
    expect(prompt.messages[0]?.content).toContain('Hello');
  });

  it('ends with the customer, whoever spoke last', () => {
    const { messages } = buildPrompt(
      persona,
      context({ messages: [message('Hi'), message('Yes?', { direction: 'out' })] }),
    );
    expect(messages.at(-1)?.role).toBe('user');
  });

  it('can be had as one text', () => {
    const prompt = buildPrompt(persona, context({ messages: [message('Hi'), message('Yes?', { direction: 'out' })] }));
    const text = promptText(prompt);
    expect(text.startsWith(prompt.instructions)).toBe(true);
    expect(text).toContain('<your-message>Yes?</your-message>');
  });

  it('takes a time zone that nobody knows for UTC', () =>
    expect(buildPrompt(persona, context({ timeZone: 'Mars/Base' })).messages[0]?.content).toContain('18:05'));
});
