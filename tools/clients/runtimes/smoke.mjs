import { attachmentOf, Engine, EngineError, readEvent, SignatureError, webhooks } from '@messaging-engine/client';

/** Uses the client as it is published, by nothing that only one platform has. Throws where something is not as promised. */
export async function smoke({ url, key, tenantId }) {
  const engine = new Engine({ url, key, tenantId });

  const sending = [];
  const onState = ({ state }) => {
    if (state === 'live' && sending.length === 0) {
      sending.push(engine.messages.send({ to: '+15550100020', text: 'Do you hear me?' }));
    }
  };
  let heard;
  for await (const event of engine.events.stream({ type: 'message.ack', onState })) {
    heard = event;
    break;
  }
  const [{ messageId }] = await Promise.all(sending);
  same((await engine.messages.waitFor(messageId, 'delivered')).messageId, messageId, 'the message that was waited for');

  const pulled = [];
  for await (const { events } of engine.events.pull({ type: 'message.ack', follow: false })) pulled.push(...events);
  const body = pulled.map(readEvent).find(({ metadata }) => metadata.eventId === heard.id);
  same(body.event, 'message.ack', 'the event that was heard and pulled');

  const once = { idempotencyKey: crypto.randomUUID(), wait: 20 };
  const menu = await attachmentOf(new Blob(['Rye 4.20\n'], { type: 'text/plain' }), { fileName: 'menu.txt' });
  const sends = [];
  for (let n = 0; n < 2; n += 1) {
    sends.push(await engine.messages.send({ to: '+15550100021', attachments: [menu] }, once));
  }
  same(sends[0].messages[0].kind, 'document', 'the file that was sent');
  same(sends[1].messageId, sends[0].messageId, 'the send that was repeated');

  const chats = [];
  for await (const { conversationId } of engine.conversations.list({ limit: 1 })) chats.push(conversationId);
  same(chats.includes(sends[0].conversationId), true, 'the conversation in the list');

  const refused = await engine.messages.send({ text: 'To nobody' }).catch((error) => error);
  same(refused instanceof EngineError && refused.code, 'recipient_required', 'the code of a refusal');
  const nowhere = new Engine({ url: 'http://127.0.0.1:9', key, retries: 0 });
  const unreachable = await nowhere.health.read().catch((error) => error);
  same(
    unreachable instanceof EngineError && unreachable.code,
    'unreachable',
    'the code of an engine that is not there',
  );

  const secret = 'a-secret-of-32-characters-or-more';
  const headers = await signed('{"event":"message"}', secret);
  same((await webhooks.unwrap('{"event":"message"}', headers, secret)).event, 'message', 'a webhook');
  const forged = await webhooks.unwrap('{"event":"forged"}', headers, secret).catch((error) => error);
  same(forged instanceof SignatureError, true, 'a forged webhook refused');
}

async function signed(body, secret) {
  const id = 'evt_1';
  const timestamp = String(Math.floor(Date.now() / 1000));
  const bytes = (text) => new TextEncoder().encode(text);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign']);
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(`${id}.${timestamp}.${body}`)));
  const signature = btoa(String.fromCharCode(...digest));
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

function same(seen, promised, what) {
  if (seen !== promised) throw new Error(`${what}: it must be ${promised}, and is ${seen}.`);
}
