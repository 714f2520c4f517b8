import { describe, expect, it } from '@jest/globals';
import { createCallActivities } from '../../../activities/automations/calls.ts';
import { createLabelActivities } from '../../../activities/automations/labels.ts';
import { createFlowCallActivities, createFlowLabelActivities } from '../../../activities/flows/calls.ts';
import type { CallAnswer, CallRequest } from '../../../adapters/egress/call.ts';
import type { PostAnswer, PostRequest } from '../../../adapters/egress/post.ts';
import { setFlowSecret } from '../../../db/flows/secret.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { createFairSlots } from '../../../domain/fair-slots.ts';
import { EQUAL_SHARES } from '../../../domain/shares.ts';
import { everywhere } from '../../adapters/backend/only-backend.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { findRows } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';
import { anEndpoint } from '../webhooks/a-drained-endpoint.ts';
import { flowScene } from './flow-scene.ts';

const { database, session } = await databaseOfThisFile();
const { aRun, step } = flowScene(database, session);

const posted: PostRequest[] = [];
const called: CallRequest[] = [];
let reply: CallAnswer;
const egress = {
  async post(request: PostRequest): Promise<PostAnswer> {
    posted.push(request);
    const timings = { durationMs: 5, connectMs: 1, firstByteMs: 2, reused: false };
    return { outcome: 'answered', status: 204, retryAfter: null, location: null, bytes: Buffer.from(''), ...timings };
  },
  async call(request: CallRequest): Promise<CallAnswer> {
    called.push(request);
    return reply;
  },
};
const shares = EQUAL_SHARES;
const calls = createCallActivities({ database, egress, automations: new Catalogue({}), shares });
const { callInFlow, requestInFlow } = createFlowCallActivities({ database, egress, shares }, calls);

const chats = new Map<string, string[]>();
const labels = createLabelActivities({
  database,
  backends: everywhere({
    listLabels: async () => [{ id: '2', name: 'VIP', color: 1, colorHex: null }],
    listLabelsOfChat: async ({ chatId }: { chatId: string }) => chats.get(chatId) ?? [],
    setLabelsOfChat: async ({ chatId }: { chatId: string }, ids: readonly string[]) => {
      chats.set(chatId, [...ids]);
      return null;
    },
  }),
  limits: everywhere(createFairSlots({ perOwner: 4, inAll: 64 })),
});
const { labelInFlow } = createFlowLabelActivities({ database }, labels);

const detailsOf = async (executionId: string) =>
  (await findRows(database, 'automationStep', { executionId }, ['detail'])).map(({ detail }) => detail);

const HTTP = {
  call: 'http',
  with: {
    method: 'post',
    endpoint: { uri: 'https://shop.test/orders', authentication: { bearer: { use: 'orderApi' } } },
    body: { order: 17 },
  },
};
async function aRequest() {
  const tell = { call: 'send', with: { text: 'It is ${ input.state }' } };
  const run = await aRun([{ order: HTTP }, { tell }], { use: { secrets: ['orderApi'] } });
  const open = await step(run.executionId);
  expect(open).toMatchObject({ is: 'outside', number: 1, name: 'http', path: '/do/0/order' });
  return { ...run, called: { executionId: run.executionId, number: 1, path: '/do/0/order' } };
}

describe('labelInFlow: a stored workflow that labels its chat', () => {
  it('sets the label that its definition names', async () => {
    const { executionId, chatId } = await aRun([{ vip: { call: 'label', with: { name: 'vip' } } }]);
    expect(await step(executionId)).toMatchObject({ is: 'outside', name: 'label' });
    const at = { executionId, number: 1, path: '/do/0/vip' };
    expect(await inActivity(labelInFlow, at)).toEqual({ stop: null });
    expect(chats.get(chatId)).toEqual(['2']);
    expect(await step(executionId)).toMatchObject({ is: 'ended', end: { status: 'completed' } });
  });
});

describe('callInFlow: a stored workflow that calls an endpoint', () => {
  it('posts the data of its definition once', async () => {
    const endpointId = await anEndpoint(database, { url: 'https://shop.test/hook' });
    const data = { note: 'words of the shop', order: 17 };
    const { executionId } = await aRun([{ tell: { call: 'callWebhook', with: { endpointId, data } } }]);
    expect(await step(executionId)).toMatchObject({ is: 'outside', name: 'callWebhook' });
    const at = { executionId, number: 1, path: '/do/0/tell' };
    expect(await inActivity(callInFlow, at)).toEqual({ stop: null });
    expect(await inActivity(callInFlow, at)).toEqual({ stop: null });
    expect(posted).toHaveLength(1);
    expect(JSON.parse(String(posted[0]?.body))).toMatchObject({ payload: { data } });
  });
});

describe('requestInFlow: a stored workflow that sends an HTTP request', () => {
  it('fails without its secret, and for another host', async () => {
    const { called: at } = await aRequest();
    await expect(inActivity(requestInFlow, at)).rejects.toMatchObject({ type: 'secret_missing' });
    const secret = { name: 'orderApi', host: 'elsewhere.test', value: 'a secret' };
    await database.transaction((tx) => setFlowSecret(tx, session.agencyId, secret));
    await expect(inActivity(requestInFlow, at)).rejects.toMatchObject({ type: 'secret_missing' });
    expect(called).toHaveLength(0);
  });

  it('sends the secret to its host, and keeps the answer for the next task', async () => {
    const secret = { name: 'orderApi', host: 'shop.test', value: 'a secret' };
    await database.transaction((tx) => setFlowSecret(tx, session.agencyId, secret));
    const { executionId, called: at } = await aRequest();
    reply = { outcome: 'answered', status: 200, contentType: 'application/json', text: '{"state":"on its way"}' };
    expect(await inActivity(requestInFlow, at)).toEqual({ stop: null });
    expect(called.at(-1)).toMatchObject({
      method: 'POST',
      url: 'https://shop.test/orders',
      headers: { authorization: 'Bearer a secret', 'idempotency-key': `${executionId}-1` },
      body: '{"order":17}',
    });
    expect(await detailsOf(executionId)).toEqual([{ status: 200 }]);
    expect(await step(executionId)).toMatchObject({ is: 'done', name: 'send' });
    const [message] = await findRows(database, 'message', { body: 'It is on its way' }, ['body']);
    expect(message).toBeDefined();
  });

  it.each([
    [{ outcome: 'answered', status: 503, contentType: '', text: '' }, 'http_failed'],
    [{ outcome: 'failed', failure: 'timeout' }, 'http_failed'],
    [{ outcome: 'failed', failure: 'blocked_address' }, 'http_refused'],
  ] as const)('names the failure %j', async (answered, code) => {
    const { called: at } = await aRequest();
    reply = answered;
    await expect(inActivity(requestInFlow, at)).rejects.toMatchObject({ type: code });
  });

  it.each([
    ['text/plain', 'o\u0000k', 'ok'],
    ['application/json', String.raw`{"state":"o\u0000k\ud83d"}`, 'It is ok\ufffd'],
    ['application/json', `${'['.repeat(9_000)}${']'.repeat(9_000)}`, null],
  ])('keeps an answer that no row can hold as it is: %s', async (contentType, text, said) => {
    const { executionId, called: at } = await aRequest();
    reply = { outcome: 'answered', status: 200, contentType, text };
    expect(await inActivity(requestInFlow, at)).toEqual({ stop: null });
    const [{ result } = {}] = await findRows(database, 'flowRun', { executionId }, ['result']);
    expect(result).toMatchObject({ status: 200 });
    if (said?.startsWith('It') !== true) return;
    await step(executionId);
    expect(await findRows(database, 'message', { body: said }, ['body'])).toHaveLength(1);
  });

  it('gives a refusal to the definition', async () => {
    const { executionId, called: at } = await aRequest();
    reply = { outcome: 'answered', status: 404, contentType: '', text: '' };
    expect(await inActivity(requestInFlow, at)).toEqual({ stop: null });
    expect(await detailsOf(executionId)).toEqual([{ status: 404, failed: 'http_failed' }]);
    const end = { status: 'failed', reason: 'http_failed', path: '/do/0/order' };
    expect(await step(executionId)).toEqual({ is: 'ended', end });
  });
});
