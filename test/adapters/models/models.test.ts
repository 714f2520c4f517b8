import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { AProvider, says, saysAsAnthropic, status } from './a-provider.ts';
import type { Behaviour } from './a-provider.ts';
import { askers, compatible, prompt, reply } from './a-model-scene.ts';

describe('a model', () => {
  let provider: AProvider;
  let modelsOf: ReturnType<typeof askers>['modelsOf'];
  let ask: ReturnType<typeof askers>['ask'];
  let failureOf: ReturnType<typeof askers>['failureOf'];
  beforeAll(async () => {
    provider = await AProvider.start();
    ({ modelsOf, ask, failureOf } = askers(provider));
  });
  afterAll(() => provider.close());
  const decisionOf = async (behaviour: Behaviour) => {
    provider.behave(behaviour);
    return (await ask()).decision;
  };

  describe('that answers', () => {
    it.each<[string, string, object]>([
      ['JSON', reply, { outcome: 'reply', text: 'Yes.' }],
      ['JSON in a fence', `\`\`\`json\n${reply}\n\`\`\``, { outcome: 'reply', text: 'Yes.' }],
      ['JSON among words', `Here it is: ${reply} Good luck!`, { outcome: 'reply', text: 'Yes.' }],
      ['JSON after its thoughts', `<think>{hm}</think>\n${reply}`, { outcome: 'reply', text: 'Yes.' }],
      ['JSON without what is not needed', '{"outcome":"Reply","text":"Yes."}', { outcome: 'reply', text: 'Yes.' }],
      ['JSON of its own', '{"reply":"Yes."}', { outcome: 'reply', text: 'Yes.' }],
      ['prose', 'Yes, two (red) boats.', { outcome: 'reply', text: 'Yes, two (red) boats.' }],
      ['prose in quotation marks', '"Yes."', { outcome: 'reply', text: 'Yes.' }],
      ['a number', '42', { outcome: 'reply', text: '42' }],
      ['a smile', '{-: Yes', { outcome: 'reply', text: '{-: Yes' }],
      ['silence', '{"outcome":"silence","text":"","reason":""}', { outcome: 'silence' }],
      [
        'a handoff',
        '{"outcome":"handoff","text":"One moment.","reason":"wants\\na person\u200B"}',
        { outcome: 'handoff', reason: 'wants a person', text: 'One moment.' },
      ],
      [
        'a handoff without words',
        '{"outcome":"handoff","text":"","reason":null}',
        { outcome: 'handoff', reason: 'The model gave no reason.', text: null },
      ],
    ])('with %s has decided', async (_what, content, decision) => {
      expect(await decisionOf(says(content))).toEqual(decision);
    });

    it('with 100 kB is heard', async () => {
      const decision = await decisionOf(
        says(JSON.stringify({ outcome: 'reply', text: 'boat '.repeat(20_000), reason: '' })),
      );
      expect(decision).toMatchObject({ outcome: 'reply', text: expect.stringMatching(/^boat boat/) });
    });

    it.each([
      ['dots', '.'],
      ['braces', '{'],
      ['closing braces', '}'],
      ['line breaks', '\n'],
      ['blanks', ' '],
      ['tabs', '\t'],
      ['fences', '```json\n'],
      ['thoughts', '<think>'],
    ])('with a flood of %s is heard as far as a reply can be, or not at all, in no time', async (_what, part) => {
      const flood = part.repeat(900_000 / part.length);
      for (const content of [`We have boats. ${flood}x`, flood, `{"outcome":"reply","text":"Yes. ${flood}`]) {
        for (const finish of ['stop', 'length']) {
          const decision = await decisionOf(says(content, { finish })).catch(() => null);
          const said = decision?.outcome === 'reply' ? decision.text : '';
          expect(said.length).toBeLessThanOrEqual(20_000);
        }
      }
    });

    it('with what no database can hold is heard without it', async () => {
      for (const content of ['{"outcome":"reply","text":"Y\\u0000es\\ud83d.\\u0007"}', '"Y\\u0000es."', 'Y\u0000es.']) {
        expect(await decisionOf(says(content))).toEqual({ outcome: 'reply', text: 'Yes.' });
      }
      const handoff = `{"outcome":"handoff","text":"\\u0000","reason":"${'x'.repeat(299)}😀"}`;
      expect(await decisionOf(says(handoff))).toEqual({ outcome: 'handoff', text: null, reason: 'x'.repeat(299) });
    });

    it('and was cut off ends with its last whole sentence', async () => {
      const cut = '{"outcome":"reply","text":"We have two boats. Both are red. The first of th';
      expect(await decisionOf(says(cut, { finish: 'length' }))).toEqual({
        outcome: 'reply',
        text: 'We have two boats. Both are red.',
      });
      expect(await decisionOf(says('Two boats. The fir', { finish: 'length' }))).toEqual({
        outcome: 'reply',
        text: 'Two boats.',
      });
    });

    it('is told with what it took', async () => {
      provider.behave(says(reply));
      const answer = await ask(modelsOf({ ...compatible, inputPerMillion: 2, outputPerMillion: 10.5 }));
      expect(answer).toMatchObject({ model: 'm', inputTokens: 1_000, outputTokens: 200, costMicros: 4_100 });
      expect(answer.ms).toBeGreaterThanOrEqual(0);
      expect((await ask()).costMicros).toBeNull();
    });

    it('gives facts in the form that they are asked for', async () => {
      const schema = z.object({ facts: z.array(z.object({ fact: z.string() })) });
      const extract = () =>
        modelsOf().extract({
          model: 'm',
          instructions: 'Note facts.',
          messages: prompt.messages,
          schema,
          maxTokens: 100,
          signal: new AbortController().signal,
        });
      provider.behave(says('```json\n{"facts":[{"fact":"likes red"}]}\n```'));
      expect(await extract()).toMatchObject({ value: { facts: [{ fact: 'likes red' }] }, inputTokens: 1_000 });
      expect(provider.asked[0]?.body['response_format']).toMatchObject({ type: 'json_schema' });
      provider.behave(says('{"facts":"none"}'));
      await expect(extract()).rejects.toMatchObject({ code: 'unreadable_answer' });
    });
  });

  describe('of an OpenAI-compatible endpoint', () => {
    it('is asked with its key, its limits and the form of the answer', async () => {
      provider.behave(says(reply));
      await ask();
      const [asked] = provider.asked;
      expect(asked?.path).toBe('/v1/chat/completions');
      expect(asked?.headers.authorization).toBe('Bearer key-of-compatible');
      expect(asked?.body).toMatchObject({ model: 'm', temperature: 0.5, max_tokens: 300 });
      expect(asked?.body['messages']).toMatchObject([
        { role: 'system', content: expect.stringMatching(/^You sell boats[\s\S]*"outcome"/) },
        { role: 'user', content: expect.stringContaining('Do you have boats?') },
      ]);
      expect(asked?.body['response_format']).toMatchObject({
        type: 'json_schema',
        json_schema: {
          strict: true,
          schema: {
            properties: { outcome: { enum: ['reply', 'silence', 'handoff'] } },
            required: ['outcome', 'text', 'reason'],
            additionalProperties: false,
          },
        },
      });
    });

    it('is told how much to think, where that is configured', async () => {
      provider.behave(says(reply));
      await ask(modelsOf({ ...compatible, reasoningEffort: 'low' }));
      await ask(modelsOf({ id: 'gpt-5-mini', provider: 'openai', reasoningEffort: 'minimal' }));
      await ask();
      expect(provider.asked.map(({ body }) => body['reasoning_effort'])).toEqual(['low', 'minimal', undefined]);
    });

    it('with a small window is asked for half of it at the most', async () => {
      provider.behave(says(reply));
      const small = modelsOf({ ...compatible, contextTokens: 2_000 });
      await ask(small, { maxTokens: 8_192 });
      expect(provider.asked[0]?.body['max_tokens']).toBe(1_000);
      expect(small.promptOptions('m', 8_192)).toEqual({ maxPromptTokens: 800 });
    });

    it('that takes no form is asked again without, and from then on', async () => {
      const models = modelsOf();
      provider.behave(status(400, {}, { error: { message: 'response_format is not available' } }), says(reply));
      expect((await ask(models)).decision).toEqual({ outcome: 'reply', text: 'Yes.' });
      await ask(models);
      expect(provider.asked.map(({ body }) => 'response_format' in body)).toEqual([true, false, false]);
    });

    it('sees images and hears voice messages', async () => {
      provider.behave(says(reply));
      const ogg = new TextEncoder().encode('OggS-voice');
      const media = [
        { mimeType: 'image/png', bytes: new Uint8Array([1, 2, 3]) },
        { mimeType: 'audio/ogg', bytes: ogg },
      ];
      await ask(modelsOf(), { prompt: { ...prompt, messages: [{ role: 'user', content: 'Look', media }] } });
      expect(provider.asked[0]?.body['messages']).toMatchObject([
        {},
        {
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
            { type: 'input_audio', input_audio: { data: Buffer.from(ogg).toString('base64'), format: 'ogg' } },
          ],
        },
      ]);
    });
  });

  it('of OpenAI is asked with the key of OpenAI, in its form', async () => {
    provider.behave(says(reply));
    const { decision, inputTokens } = await ask(modelsOf({ id: 'gpt-4o-mini', provider: 'openai' }));
    expect({ decision, inputTokens }).toEqual({ decision: { outcome: 'reply', text: 'Yes.' }, inputTokens: 1_000 });
    const [asked] = provider.asked;
    expect(asked?.path).toBe('/v1/chat/completions');
    expect(asked?.headers.authorization).toBe('Bearer key-of-openai');
    expect(asked?.body).toMatchObject({ model: 'gpt-4o-mini', response_format: { json_schema: { strict: true } } });
    expect(JSON.stringify(asked?.body)).toContain('"max_tokens":300');
    await expect(
      failureOf(says(null, { refusal: 'No.' }), modelsOf({ id: 'gpt-4o-mini', provider: 'openai' })),
    ).resolves.toMatchObject({ code: 'refused' });
  });

  it('of Anthropic is asked with the key of Anthropic, in its form', async () => {
    const models = modelsOf({ id: 'claude-haiku-4-5', provider: 'anthropic' });
    provider.behave(saysAsAnthropic(reply));
    const { decision, inputTokens, outputTokens } = await ask(models);
    expect({ decision, inputTokens, outputTokens }).toEqual({
      decision: { outcome: 'reply', text: 'Yes.' },
      inputTokens: 1_000,
      outputTokens: 200,
    });
    const [asked] = provider.asked;
    expect(asked?.path).toBe('/v1/messages');
    expect(asked?.headers).toMatchObject({ 'x-api-key': 'key-of-anthropic', 'anthropic-version': expect.any(String) });
    expect(asked?.body).toMatchObject({
      model: 'claude-haiku-4-5',
      max_tokens: 300,
      system: [{ type: 'text', text: expect.stringContaining('You sell boats.') }],
      messages: [{ role: 'user', content: [{ type: 'text', text: expect.stringContaining('Do you have boats?') }] }],
    });
    expect((await failureOf(saysAsAnthropic('', 'refusal'), models)).code).toBe('refused');
    expect((await failureOf(status(529, { 'retry-after': '3' }), models)).retryAfterMs).toBe(3_000);
  });

  it('that is not configured gives way to the first that is, and knows its fallback', async () => {
    const models = modelsOf([
      { ...compatible, fallback: 'small' },
      { ...compatible, id: 'small', contextTokens: 4_000 },
    ]);
    provider.behave(says(reply));
    expect((await ask(models, { model: 'gone' })).model).toBe('m');
    expect([models.defaultId, models.fallbackOf('m'), models.fallbackOf('small'), models.fallbackOf('gone')]).toEqual([
      'm',
      'small',
      null,
      'small',
    ]);
    expect(models.promptOptions('small', 500)).toEqual({ maxPromptTokens: 3_300 });
    await expect(ask(modelsOf([]))).rejects.toMatchObject({ code: 'no_model_configured', retryable: false });
  });
});
