import { eventually } from '../../test/support/eventually.ts';
import type { Notebook } from './notebook.ts';
import { Sent, tenantId } from './scene.ts';

export async function send(notebook: Notebook, key: string) {
  const to = '+15550100020';
  const first = await notebook.ask('messages.send', {
    key,
    body: { tenantId, to, text: 'Hello! The blue one is back.' },
  });
  const sent = Sent.parse(first.body);
  const held = { tenantId, to, text: 'It costs 49 euros.' };
  await notebook.ask('messages.send', { key, body: held, headers: { prefer: 'wait=10' } });
  await status(notebook, key, sent.messageId, ['delivered', 'read']);
  const text = 'Shall we put it aside for you?';
  const buttons = [
    { type: 'reply', id: 'yes', text: 'Yes, please' },
    { type: 'reply', id: 'no', text: 'No, thanks' },
  ];
  await notebook.ask('messages.sendButtons', { key, body: { tenantId, to, text, buttons } });
  const rows = [
    { title: 'Blue', rowId: 'blue', description: 'in stock' },
    { title: 'Green', rowId: 'green' },
  ];
  const message = { title: 'Colours', button: 'Choose', sections: [{ title: 'In stock', rows }] };
  await notebook.ask('messages.sendList', { key, body: { tenantId, to, text: 'Which one do you like?', message } });
  const file = { url: 'https://files.example.com/catalogue.pdf', kind: 'document' };
  await notebook.ask('messages.sendMedia', { key, body: { tenantId, to, ...file, text: 'Our catalogue' } });
  const query = { tenantId, fileName: 'catalogue.pdf' };
  const catalogue = { file: Buffer.from('%PDF-1.7 Boats and oars'), headers: { 'content-type': 'application/pdf' } };
  const uploaded = await notebook.ask('files.upload', { key, query, ...catalogue });
  await notebook.ask('files.list', { key, query: { tenantId } });
  await notebook.ask('files.end', { key, params: { id: String(uploaded.body['id']) }, query: { tenantId } });
  const location = { latitude: 52.52, longitude: 13.405, name: 'Our shop' };
  await notebook.ask('messages.send', { key, body: { tenantId, to, location } });
  await acted(notebook, key);
  await waiting(notebook, key, to);
  await resolved(notebook, key);
  return sent;
}

/** To somebody else, so that the examples of the chat show what was said there. */
async function acted(notebook: Notebook, key: string): Promise<void> {
  const body = { tenantId, to: '+15550100021', text: 'We open at eight.' };
  const sent = Sent.parse((await notebook.ask('messages.send', { key, body, headers: { prefer: 'wait=10' } })).body);
  const params = { messageId: sent.messageId };
  await notebook.ask('messages.edit', { key, params, body: { tenantId, text: 'We open at nine.' } });
  await notebook.ask('messages.react', { key, params, body: { tenantId, emoji: '👍' } });
  const ended = async () => {
    const { body: answer } = await notebook.look('messages.listActions', { key, params, query: { tenantId } });
    return !JSON.stringify(answer).includes('"endedAt":null');
  };
  await eventually(ended, { what: 'the actions to end', withinMs: 60_000 });
  await notebook.ask('messages.listActions', { key, params, query: { tenantId } });
  await notebook.ask('messages.revoke', { key, params, body: { tenantId } });
}

async function waiting(notebook: Notebook, key: string, to: string): Promise<void> {
  const sendAt = new Date(Date.now() + 86_400_000).toISOString();
  const later = Sent.parse(
    (await notebook.ask('messages.send', { key, body: { tenantId, to, text: 'See you tomorrow!', sendAt } })).body,
  );
  const params = { messageId: later.messageId };
  await notebook.ask('messages.list', { key, query: { tenantId } });
  await notebook.ask('messages.update', { key, params, body: { tenantId, text: 'See you tomorrow at ten!' } });
  await notebook.ask('messages.cancel', { key, params, body: { tenantId, wholeRequest: true } });
  await notebook.ask('messages.resend', { key, params, body: { tenantId, force: false } });
}

async function resolved(notebook: Notebook, key: string): Promise<void> {
  const body = { tenantId, to: '+15550100017', text: 'Are you still interested?' };
  const { messageId } = Sent.parse((await notebook.ask('messages.send', { key, body })).body);
  await status(notebook, key, messageId, ['uncertain']);
  const verdict = { outcome: 'sent', actor: 'maria', reason: 'It stands in the chat on the phone.' };
  await notebook.ask('messages.resolve', { key, params: { messageId }, body: { tenantId, ...verdict } });
}

async function status(notebook: Notebook, key: string, messageId: string, wanted: string[]): Promise<void> {
  const asked = { key, params: { messageId }, query: { tenantId } };
  await eventually(
    async () => {
      const answer = await notebook.look('messages.readStatus', asked);
      return wanted.includes(String(answer.body['status']));
    },
    { what: `the message to be ${wanted.join(' or ')}`, withinMs: 60_000 },
  );
  await notebook.ask('messages.readStatus', asked);
}
