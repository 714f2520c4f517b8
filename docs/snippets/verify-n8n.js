// A Code node behind a Webhook node with "Raw Body" on. Self-hosted n8n needs NODE_FUNCTION_ALLOW_BUILTIN=crypto.
const { createHmac, timingSafeEqual } = require('crypto');

const TOLERANCE_SECONDS = 300;
const secret = 'whsec_…';

const { headers } = $input.first().json;
const body = await this.helpers.getBinaryDataBuffer(0, 'data');
const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) throw new Error('Too old.');

const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
const expected = Buffer.from(`v1,${digest}`);
const isGenuine = String(signatures)
  .split(' ')
  .map((given) => Buffer.from(given))
  .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
if (!isGenuine) throw new Error('The signature does not match.');

return [{ json: JSON.parse(body.toString('utf8')) }];
