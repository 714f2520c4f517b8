import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AProvider, says, status } from './a-provider.ts';
import type { Behaviour } from './a-provider.ts';
import { askers, compatible, reply, SECRET } from './a-model-scene.ts';

describe('a model that fails', () => {
  let provider: AProvider;
  let modelsOf: ReturnType<typeof askers>['modelsOf'];
  let ask: ReturnType<typeof askers>['ask'];
  let failureOf: ReturnType<typeof askers>['failureOf'];
  beforeAll(async () => {
    provider = await AProvider.start();
    ({ modelsOf, ask, failureOf } = askers(provider));
  });
  afterAll(() => provider.close());

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
    for (const behaviour of [echo, status(200, {}, SECRET), says(`{"outcome":"${SECRET}"}`), status(500, {}, SECRET)]) {
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

  it.each<[string, Record<string, string>, number | null]>([
    ['a span', { 'x-ratelimit-reset-requests': '1m2.5s', 'x-ratelimit-reset-tokens': '120ms' }, 62_500],
    ['a time', { date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'x-ratelimit-reset': '1795255210' }, 10_000],
    ['one limit', { 'x-ratelimit-reset-requests': '1h', 'x-ratelimit-remaining-requests': '9' }, null],
    [
      'two limits, of which one is used up',
      {
        'x-ratelimit-reset-requests': '1h',
        'x-ratelimit-remaining-requests': '9',
        'x-ratelimit-reset-tokens': '2s',
        'x-ratelimit-remaining-tokens': '0',
      },
      2_000,
    ],
  ])('and tells when %s begins anew asks for a pause only where that is why', async (_what, headers, expected) => {
    expect((await failureOf(status(429, headers))).retryAfterMs).toBe(expected);
    expect((await failureOf(status(503, headers))).retryAfterMs).toBeNull();
  });

  it('after it has answered tells what that took', async () => {
    const priced = modelsOf({ ...compatible, inputPerMillion: 2, outputPerMillion: 10.5 });
    const took = { inputTokens: 1_000, outputTokens: 200, costMicros: 4_100 };
    for (const behaviour of [says('{"answer": 42}'), says(''), says('', { finish: 'content_filter' })]) {
      expect((await failureOf(behaviour, priced)).use).toMatchObject(took);
    }
    expect((await failureOf(status(500), priced)).use).toBeNull();
  });
});
