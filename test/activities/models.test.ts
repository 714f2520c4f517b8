import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ModelError } from '../../activities/model-error.ts';
import { createModels } from '../../activities/models.ts';
import type { ModelOptions } from '../../activities/models.ts';
import type { ModelSpec } from '../../domain/model.ts';
import type { Prompt } from '../../domain/prompt-context.ts';
import { AProvider, says, saysAsAnthropic, status } from './a-provider.ts';
import type { Behaviour } from './a-provider.ts';

const SECRET = 'Quokka-7731';
const prompt: Prompt = {
  instructions: `You sell boats. ${SECRET}`,
  messages: [{ role: 'user', content: `Do you have boats? ${SECRET}`, media: [] }],
  memoryIds: [],
  tenantFactIds: [],
  messageIds: [],
};
const reply = JSON.stringify({ outcome: 'reply', text: 'Yes.', reason: '' });
const compatible: ModelSpec = { id: 'm', provider: 'openai-compatible' };

describe('a model', () => {
  let provider: AProvider;
  beforeAll(async () => {
    provider = await AProvider.start();
  });
  afterAll(() => provider.close());

  const modelsOf = (spec: ModelSpec | ModelSpec[] = compatible, more: Partial<ModelOptions> = {}) =>
    createModels({
      models: [spec].flat(),
      baseUrl: provider.url,
      apiKey: 'key-of-compatible',
      openaiApiKey: 'key-of-openai',
      anthropicApiKey: 'key-of-anthropic',
      openaiBaseUrl: provider.url,
      anthropicBaseUrl: provider.url,
      timeoutMs: 3_000,
      ...more,
    });
  const ask = (models = modelsOf(), more: { model?: string; signal?: AbortSignal; prompt?: Prompt } = {}) =>
    models.answer({
      model: 'm',
      prompt,
      temperature: 0.5,
      maxTokens: 300,
      signal: new AbortController().signal,
      ...more,
    });
  const failureOf = async (behaviour: Behaviour, models = modelsOf()): Promise<ModelError> => {
    provider.behave(behaviour);
    const error: unknown = await ask(models).catch((thrown: unknown) => thrown);
    if (!(error instanceof ModelError)) throw new Error('It was no ModelError.', { cause: error });
    return error;
  };
  const decisionOf = async (behaviour: Behaviour) => {
    provider.behave(behaviour);
    return (await ask()).decision;
  };

  describe('that fails', () => {
    const html = '<html><body>Bad gateway</body></html>';
    const words = (message: string, code = '') => ({ error: { message, code } });
    it.each<[string, Behaviour, string, boolean]>([
      ['answers 500', status(500), 'provider_failed', true],
      ['answers 502 as a page', status(502, { 'content-type': 'text/html' }, html), 'provider_failed', true],
      ['is overloaded', status(529), 'provider_failed', true],
      ['answers 408', status(408), 'timeout', true],
      ['answers 429', status(429), 'rate_limited', true],
      ['has no quota left', status(429, {}, words('x', 'insufficient_quota')), 'quota_used_up', false],
      ['wants to be paid', status(402), 'quota_used_up', false],
      ['does not take the key', status(401), 'key_refused', false],
      ['does not let the key in', status(403), 'key_refused', false],
      ['does not exist', status(404), 'request_refused', false],
      ['takes no such request', status(400), 'request_refused', false],
      ['redirects', status(307, { location: 'http://127.0.0.1:9/' }), 'request_refused', false],
      ['takes less', status(400, {}, words('maximum context length is 4096')), 'context_too_long', false],
      ['takes fewer bytes', status(413), 'context_too_long', false],
      ['filters by status', status(400, {}, words('The response was filtered', 'content_filter')), 'refused', false],
      ['filters by how it ends', says('', { finish: 'content_filter' }), 'refused', false],
      ['refuses beside the content', says(null, { refusal: 'I cannot.' }), 'refused', false],
      ['says nothing', says(''), 'unreadable_answer', true],
      [
        'says nothing as JSON',
        says(JSON.stringify({ outcome: 'reply', text: ' ', reason: '' })),
        'unreadable_answer',
        true,
      ],
      ['writes broken JSON', says('{"outcome": "reply", "text": "Yes'), 'unreadable_answer', true],
      ['writes JSON of its own kind', says('{answer: 42}'), 'unreadable_answer', true],
      ['writes JSON of another form', says('{"answer": 42}'), 'unreadable_answer', true],
      [
        'decides what there is not',
        says('{"outcome":"transfer_money","text":"x","reason":""}'),
        'unreadable_answer',
        true,
      ],
      ['answers garbage', status(200, {}, '{"id":"chatcmpl-1","choices":[{"mess'), 'unreadable_answer', true],
      ['answers a page', status(200, { 'content-type': 'text/html' }, html), 'unreadable_answer', true],
      ['answers an error as 200', status(200, {}, words('overloaded')), 'unreadable_answer', true],
      ['answers without end', (response) => void response.end('x'.repeat(1_200_000)), 'answer_too_large', false],
      ['drops the connection', (response) => void response.socket?.destroy(), 'connection_failed', true],
      [
        'breaks off in the middle',
        (response) => {
          response.writeHead(200, { 'content-length': '5000' });
          response.write('{"id":', () => response.socket?.destroy());
        },
        'connection_failed',
        true,
      ],
    ])('because it %s is told as a class', async (_what, behaviour, code, retryable) => {
      const failure = await failureOf(behaviour);
      expect({ code: failure.code, retryable: failure.retryable }).toEqual({ code, retryable });
      expect(provider.asked).toHaveLength(1);
    });

    it.each<[string, Behaviour]>([
      ['does not answer', () => undefined],
      ['stops in the middle of its answer', (response) => void response.writeHead(200).write('{"id":')],
    ])('because it %s is told as a timeout', async (_what, behaviour) => {
      const failure = await failureOf(behaviour, modelsOf(compatible, { timeoutMs: 150 }));
      expect(failure).toMatchObject({ code: 'timeout', retryable: true });
    });

    it('because nobody listens is told as a failed connection', async () => {
      const failure = await failureOf(says(reply), modelsOf(compatible, { baseUrl: 'http://127.0.0.1:9/v1' }));
      expect(failure.code).toBe('connection_failed');
    });

    it.each<[string, Record<string, string>, number | null]>([
      ['seconds', { 'retry-after': '7' }, 7_000],
      ['milliseconds', { 'retry-after-ms': '1500', 'retry-after': '2' }, 1_500],
      ['a date', { date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'retry-after': 'Sat, 21 Nov 2026 10:01:00 GMT' }, 60_000],
      ['a span', { 'x-ratelimit-reset-requests': '1m2.5s', 'x-ratelimit-reset-tokens': '120ms' }, 62_500],
      ['a time', { date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'x-ratelimit-reset': '1795255210' }, 10_000],
      ['more than an hour', { 'retry-after': '86400' }, 3_600_000],
      ['nothing', {}, null],
      ['nonsense', { 'retry-after': 'soon', 'retry-after-ms': 'x' }, null],
    ])('and asks for a pause by %s is given it', async (_what, headers, expected) => {
      expect((await failureOf(status(429, headers))).retryAfterMs).toBe(expected);
      expect((await failureOf(status(503, headers))).retryAfterMs).toBe(expected);
    });

    it('says nothing of the prompt, the answer or the key', async () => {
      const echo: Behaviour = (response, { body }) =>
        status(400, {}, { error: { message: JSON.stringify(body) } })(response, { path: '', headers: {}, body });
      for (const behaviour of [
        echo,
        status(200, {}, SECRET),
        says(`{"outcome":"${SECRET}"}`),
        status(500, {}, SECRET),
      ]) {
        const failure = await failureOf(behaviour);
        const told = JSON.stringify([failure, failure.message, failure.stack, failure.cause ?? null]);
        expect(told).not.toContain(SECRET);
        expect(told).not.toContain('key-of');
      }
    });

    it('is not a failure of the model when the asker has given up', async () => {
      provider.behave(() => undefined);
      const reason = new Error('cancelled');
      const asker = new AbortController();
      const asked = ask(modelsOf(), { signal: asker.signal });
      setTimeout(() => asker.abort(reason), 30);
      const error: unknown = await asked.catch((thrown: unknown) => thrown);
      expect(error).toBe(reason);
    });
  });

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
