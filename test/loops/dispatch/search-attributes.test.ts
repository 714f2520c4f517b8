import { createServer } from 'node:http2';
import type { Http2Server } from 'node:http2';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ensureSearchAttributes } from '../../../loops/dispatch/search-attributes.ts';
import { createLazyClient } from '../../../loops/dispatch/temporal-client.ts';
import { takeServers } from '../../support/servers.ts';

let server: Http2Server | undefined;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

/** A Temporal that answers every call with this gRPC status. */
async function answering(status: string): Promise<string> {
  server = createServer().on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': status }, { endStream: true });
  });
  const made = server;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  const address = made.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return `127.0.0.1:${address.port}`;
}

describe('search attributes', () => {
  it.each([
    ['denied to us', '7'],
    ['not offered', '12'],
  ])('are left out where the operator API is %s, and the command to make them is told', async (_what, status) => {
    const client = createLazyClient({ connectionOptions: { address: await answering(status) }, namespace: 'closed' });
    try {
      const { names, missingCommand } = await ensureSearchAttributes(client.connection, 'closed');
      expect(names.size).toBe(0);
      expect(missingCommand).toContain('--namespace closed --name AgencyId --type Keyword');
    } finally {
      await client.connection.close();
    }
  });

  it('are all there where it is permitted, also those that nothing sets yet', async () => {
    const { temporalAddress: address, namespace } = await takeServers();
    const client = createLazyClient({ connectionOptions: { address }, namespace });
    try {
      const { names, missingCommand } = await ensureSearchAttributes(client.connection, namespace);
      const wanted = ['AgencyId', 'TenantId', 'SessionId', 'ConversationId', 'MessageId', 'Automation', 'Outcome'];
      expect([...names].toSorted()).toEqual(wanted.toSorted());
      expect(missingCommand).toBeNull();
    } finally {
      await client.connection.close();
    }
  });
});
