import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createEgress } from '../../../adapters/egress/egress.ts';
import { listen } from '../../activities/webhooks/a-raw-receiver.ts';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const post = { headers: {}, body: Buffer.from('{}'), timeoutMs: 5_000 };

describe('a post', () => {
  it.each([
    ['http://localhost:4000/in', 'blocked_address'],
    ['http://tool.localhost/in', 'blocked_address'],
    ['http://127.1/in', 'blocked_address'],
    ['http://[::ffff:10.0.0.5]/in', 'blocked_address'],
    ['http://93.184.216.34/in', 'insecure_url'],
    ['https://93.184.216.34/in', null],
    ['http://hooks.example.com/in', null],
  ])('to %s is refused before it is tried as %s', async (url, why) => {
    const egress = createEgress({ allow: [], userAgent: 'test' });
    expect(egress.refusesPost(url)).toBe(why);
    await egress.close();
  });

  it('to a port of the engine on an allowed machine is refused before it is tried', async () => {
    const egress = createEgress({ allow: LOOPBACK, ownPorts: [3000], userAgent: 'test' });
    expect(egress.refusesPost('http://localhost:3000/in')).toBe('blocked_address');
    expect(egress.refusesPost('http://localhost:4000/in')).toBeNull();
    await egress.close();
  });

  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end();
  });
  afterAll(() => void server.close());

  it.each(['http://93.184.216.34/hook', 'http://[2606:2800:220:1::1]:8080/hook'])(
    'goes to no public address without TLS, not even to look whether somebody is there: %s',
    async (url) => {
      const egress = createEgress({ allow: LOOPBACK, userAgent: 'test' });
      expect(await egress.post({ ...post, url })).toMatchObject({
        outcome: 'failed',
        failure: 'insecure_url',
        connectMs: null,
      });
      await egress.close();
    },
  );

  it('reaches nothing of the engine itself, where this machine is allowed', async () => {
    const port = await listen(server);
    const egress = createEgress({ allow: LOOPBACK, ownPorts: [port], userAgent: 'test' });
    for (const host of ['127.0.0.1', '127.1', '[::ffff:127.0.0.1]', 'localhost']) {
      const url = `http://${host}:${port}/hook`;
      expect(await egress.post({ ...post, url })).toMatchObject({ outcome: 'failed', failure: 'blocked_address' });
    }
    expect(asked).toBe(0);
    await egress.close();
  });
});
