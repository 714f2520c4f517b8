import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';

describe('sending a message', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    // Far enough apart that the acks, which the network sends side by side, come in their order.
    engine = await startEngine({ sandbox: { ackDelayMs: 150 } });
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'a1' });
  });
  afterAll(() => engine.close());

  it('a scoped key sends to a phone and the message walks queued, sent, delivered, read', async () => {
    const sent = await call(engine, 'POST', '/api/v1/messages/send', {
      key: agency.scopedKey,
      body: { to: '+1 555 010 1234', text: 'Hello' },
    });
    expect(sent.status).toBe(202);
    const location = sent.headers.get('location') ?? '';
    const status = await eventually(async () => {
      const now = await call(engine, 'GET', location, { key: agency.scopedKey });
      return now.body['status'] === 'read' ? now.body : undefined;
    });
    expect(status['history']).toMatchObject([
      { status: 'queued' },
      { status: 'sending' },
      { status: 'sent' },
      { status: 'delivered' },
      { status: 'read' },
    ]);
  });

  it('an operator finds a message by each of its search attributes, and by what became of it', async () => {
    const { session, agencyId, tenantId } = agency;
    const sent = await call(engine, 'POST', '/api/v1/messages/send', {
      key: agency.scopedKey,
      body: { to: '+1 555 010 1234', text: 'Hello again' },
    });
    const MessageId = String(sent.body['messageId']);
    const ConversationId = String(sent.body['conversationId']);
    const attributes = { AgencyId: agencyId, TenantId: tenantId, SessionId: session.id, ConversationId, MessageId };
    const named = Object.entries(attributes).map(([name, value]) => `${name} = "${value}"`);
    // The execution ends with `sent` where the ack takes more than a second, as on a busy machine.
    const query = [...named, 'Outcome in ("sent", "delivered")'].join(' and ');
    const found = await eventually(async () => {
      for await (const { workflowId, type } of engine.temporal.workflow.list({ query })) return { workflowId, type };
      return undefined;
    });
    expect(found).toEqual({ workflowId: `message/${MessageId}`, type: 'deliverMessage' });
  });
});
