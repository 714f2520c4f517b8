import { expect, test } from '@jest/globals';
import { startStub } from '../stub-backend.ts';

const message = { session: 's', chatId: '15557654321@c.us', networkId: '3EB0AA', fromMe: true, participant: null };

test('an edit asks for no preview, for which the backend would fetch an address of the text', async () => {
  await using stub = await startStub(() => ({ json: { id: 'true_15557654321@c.us_3EB0AA' } }));
  await stub.backend.editMessage(message, 'see http://169.254.169.254/latest');
  expect(stub.requests).toMatchObject([
    { method: 'PUT', body: { text: 'see http://169.254.169.254/latest', linkPreview: false } },
  ]);
});
