import { createHmac } from 'node:crypto';
import { Agent } from 'undici';

const SECRET = 'bench-webhook-secret-0123456789-0123456789';
const agent = new Agent({ connections: 32 });

/**
 * Does the work that every sender of webhooks has to do, the baselines too: sign by Standard Webhooks, post, read the
 * answer.
 */
export async function signedPost(url: string, id: string, body: string): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', SECRET).update(`${id}.${timestamp}.${body}`).digest('base64');
  const { origin, pathname } = new URL(url);
  const answer = await agent.request({
    origin,
    path: pathname,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  await answer.body.text();
  return answer.statusCode;
}
