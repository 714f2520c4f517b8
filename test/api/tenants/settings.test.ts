import { describe, expect, it } from '@jest/globals';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { aScene } from '../webhooks/a-webhook-scene.ts';

const api = await apiOfThisFile('settings');
const acme = await aScene(api, 'acme');

describe('the webhook of a tenant', () => {
  it('is one, however many requests set it at once', async () => {
    const put = (body: object) => call(api, 'PUT', '/api/v1/tenants/race/settings', { key: acme.key, body });
    for (let round = 0; round < 5; round += 1) {
      await put({ webhookUrl: null, country: 'DE' });
      const urls = ['a', 'b', 'c', 'd'].map((path) => `http://127.0.0.1:9/${path}`);
      const answers = await Promise.all(urls.map((webhookUrl) => put({ webhookUrl })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
  });
});
