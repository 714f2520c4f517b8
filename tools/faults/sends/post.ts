import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { call } from '../../demo/call.ts';
import type { Answer } from '../../demo/call.ts';
import type { Ground } from '../ground.ts';
import type { Request } from './ways.ts';

export interface Posted {
  /** Null when no answer came within the patience. */
  answer: Answer | null;
  tries: number;
}

const PATIENCE_MS = 120_000;
const ANSWER_WITHIN_MS = 15_000;
/** The pause before the next try when the engine does not answer. */
const AWAY_MS = 250;

/** Posts as a careful client does: the same request under the same key, until a final answer comes. */
export async function post(ground: Ground, { path, body, key, account }: Request): Promise<Posted> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let tries = 1; ; tries += 1) {
    const answer = await once(() =>
      call(ground.machine.url, 'POST', path, {
        key: account.key,
        body,
        headers: { 'idempotency-key': key },
        timeoutMs: ANSWER_WITHIN_MS,
      }),
    );
    if (answer && !passes(answer.status)) return { answer, tries };
    if (Date.now() > deadline) return { answer: null, tries };
    await pause(AWAY_MS);
  }
}

/** Reads the ids of a request's messages, in the request's order. */
export function messageIdsOf({ body }: Answer): string[] {
  const { messages } = z.object({ messages: z.array(z.object({ messageId: z.string() })) }).parse(body);
  return messages.map(({ messageId }) => messageId);
}

/**
 * Tells whether a status passes: the same request is under way (409), there are too many (429), or the engine is about
 * to stop or start (5xx).
 */
function passes(status: number): boolean {
  return status === 409 || status === 429 || status >= 500;
}

async function once(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch {
    return null;
  }
}
