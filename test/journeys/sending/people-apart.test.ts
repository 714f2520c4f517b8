import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { passportOf, send, untilStatus } from '../../support/sends.ts';

const Sent = z.object({ messageId: z.string() });

describe("a person's reply while other work has all its slots", () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    // With a pace, each reply shows typing before it goes.
    engine = await startEngine({ environment: { PACE_PER_MINUTE: '60' } });
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'apart' });
  });
  afterAll(() => engine.close());

  const reply = async (conversationId: string, content: string): Promise<string> => {
    const path = `/api/v1/inbox/conversations/${conversationId}/messages`;
    const { body } = await call(engine, 'POST', path, { key: agency.scopedKey, body: { content } });
    return Sent.parse(body).messageId;
  };

  it('goes out in slots of its own, and the other work afterwards', async () => {
    const { conversationId, messageId } = await send(engine, agency, '15550108801', 'We open at nine');
    await untilStatus(engine, agency, messageId, 'read');
    await engine.stopWorker();
    // No slot of other work is free, because no worker serves their queue.
    await engine.startWorker(['people']);
    const waiting = await send(engine, agency, '15550108802', 'We open at ten');
    await untilStatus(engine, agency, await reply(conversationId, 'Or come at eight'), 'read');
    expect((await passportOf(engine, agency, waiting.messageId)).status).toBe('queued');

    await engine.stopWorker();
    await engine.startWorker(['engine', 'delivery']);
    await untilStatus(engine, agency, waiting.messageId, 'read');
    await untilStatus(engine, agency, await reply(conversationId, 'Until then'), 'read');
  });
});
