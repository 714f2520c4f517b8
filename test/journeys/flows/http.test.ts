import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { findRows } from '../../support/rows.ts';
import { aFlowScene, definitionOf } from './scene.ts';
import type { FlowScene } from './scene.ts';

const SECRET = 'canary-secret-of-a-shop';

describe('the HTTP request of a stored workflow', () => {
  let engine: TestEngine;
  let scene: FlowScene;
  let shop: Server;
  const asked: { url: string; authorization: string | undefined; key: string | undefined }[] = [];
  let origin: string;

  beforeAll(async () => {
    shop = createServer((request, response) => {
      asked.push(shownOf(request));
      const isKnown = request.url === '/orders/17';
      response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isKnown ? { state: 'on its way' } : { error: 'unknown' }));
    });
    shop.listen(0, '127.0.0.1');
    await once(shop, 'listening');
    const address = shop.address();
    origin = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
    engine = await startEngine();
    scene = await aFlowScene(engine, 'flow-http');
  });
  afterAll(async () => {
    await engine.close();
    shop.close();
  });

  const orderStatus = (path: string): object =>
    definitionOf(
      [
        {
          look: {
            try: [
              {
                order: {
                  call: 'http',
                  with: {
                    method: 'get',
                    endpoint: { uri: `${origin}${path}`, authentication: { bearer: { use: 'orderApi' } } },
                  },
                },
              },
              { tell: { call: 'send', with: { text: 'Your order is ${ input.state }.' } } },
            ],
            catch: {
              as: 'failure',
              do: [{ sorry: { call: 'send', with: { text: 'We found no order (${ string(failure.status) }).' } } }],
            },
          },
        },
      ],
      { use: { secrets: ['orderApi'] } },
    );

  async function told(definition: object, text: string): Promise<string> {
    const { automation } = await scene.create(definition);
    await scene.enable(automation);
    const from = scene.someone();
    const id = await scene.run(automation, await scene.conversationWith(from));
    await scene.until(id, { status: 'completed' });
    await eventually(async () => (await scene.heard(from)).includes(text), { what: text });
    return id;
  }

  it('fails with a named error without its secret', async () => {
    const { automation } = await scene.create(
      definitionOf(
        [
          {
            order: {
              call: 'http',
              with: {
                method: 'get',
                endpoint: { uri: `${origin}/orders/17`, authentication: { bearer: { use: 'none' } } },
              },
            },
          },
        ],
        { use: { secrets: ['none'] } },
      ),
    );
    await scene.enable(automation);
    const id = await scene.run(automation, await scene.conversationWith(scene.someone()));
    await scene.until(id, { status: 'failed', reason: 'secret_missing' });
    const { body } = await scene.ofTenant('GET', `/api/v1/automation-executions/${id}`);
    expect(body).toMatchObject({ failedPath: '/do/0/order' });
  });

  it('sends the secret, reads the answer, and shows the secret nowhere', async () => {
    const { host } = new URL(origin);
    const set = await scene.ask('PUT', '/api/v1/workflow-secrets/orderApi', { host, value: SECRET });
    expect([set.status, JSON.stringify(set.body)]).toEqual([200, expect.not.stringContaining(SECRET)]);
    const id = await told(orderStatus('/orders/17'), 'Your order is on its way.');
    expect(asked.at(-1)).toMatchObject({ url: '/orders/17', authorization: `Bearer ${SECRET}` });
    const history = await scene.historyOf(id);
    for (const word of [SECRET, 'on its way', 'orders/17']) expect(history).not.toContain(word);
    const kept = await findRows(engine.database, 'flowRun', { executionId: id }, ['state', 'todo', 'result']);
    expect(JSON.stringify(kept)).not.toContain(SECRET);
    expect(JSON.stringify((await scene.ask('GET', '/api/v1/workflow-secrets')).body)).not.toContain(SECRET);
  });

  it('gives the status of a refusal to the definition', async () => {
    await told(orderStatus('/orders/18'), 'We found no order (404).');
  });

  it('to a private address is refused, and the run ends in its named state', async () => {
    const { automation } = await scene.create(
      definitionOf([{ inside: { call: 'http', with: { method: 'get', endpoint: 'http://10.0.0.1/admin' } } }]),
    );
    await scene.enable(automation);
    const id = await scene.run(automation, await scene.conversationWith(scene.someone()));
    await scene.until(id, { status: 'failed', reason: 'http_failed' });
  });
});

function shownOf({ url = '', headers }: IncomingMessage) {
  const { authorization, 'idempotency-key': key } = headers;
  return { url, authorization, key: typeof key === 'string' ? key : undefined };
}
