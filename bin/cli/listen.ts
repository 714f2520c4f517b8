import { createInterface } from 'node:readline';
import { z } from 'zod';
import { EVENT_TYPES } from '../../domain/webhooks/event.ts';
import type { Engine, WebhookEvent } from '../../packages/typescript/src/index.ts';
import { UsageError } from './command-error.ts';
import { eventFeed } from './event-feed.ts';
import { forward } from './forward.ts';
import type { Forwarded, Receiver } from './forward.ts';

export interface Listening {
  client: Engine;
  /** The receiver that gets the events; null only prints them. */
  receiver: Receiver | null;
  /** The types that are shown; null shows all. */
  types: readonly string[] | null;
  since: Date;
  stopping: AbortSignal;
  say: (line: string) => void;
}

/** Shows events as they happen and hands them to the receiver, one at a time. A typed id sends that event again. */
export async function listen(listening: Listening): Promise<void> {
  const { receiver, types, say } = listening;
  const attempts = new Map<string, number>();
  if (receiver !== null) listenForIds(listening, attempts);
  for await (const event of eventFeed(listening)) {
    if (types !== null && !types.includes(event.type)) continue;
    say(lineOf(event));
    if (receiver !== null) say(`  → ${(await hand(receiver, event, attempts)).text}`);
  }
}

export async function resend(
  { client, receiver, say }: { client: Engine; receiver: Receiver; say: (line: string) => void },
  id: string,
  attempt: number,
): Promise<Forwarded> {
  const event = await client.webhookEvents.read(id);
  say(lineOf(event));
  const forwarded = await forward(receiver, event, attempt);
  say(`  → ${forwarded.text}`);
  return forwarded;
}

/** Prints only ids and times. The body holds what somebody wrote, so it stays out of terminals. */
function lineOf(event: WebhookEvent): string {
  const { type, id, sequence, tenantId, sessionId, conversationId, createdAt, test } = event;
  const about = [`#${sequence}`, tenantId, conversationId ?? sessionId, test ? 'test' : null].filter(Boolean);
  return `${createdAt}  ${type.padEnd(21)}  ${id}  ${about.join('  ')}`;
}

function hand(receiver: Receiver, event: WebhookEvent, attempts: Map<string, number>): Promise<Forwarded> {
  return forward(receiver, event, countAttempt(attempts, event.id));
}

/**
 * Bounds the events whose attempts are counted. More events than this may pass in a day, but nobody resends that many.
 */
const MAX_COUNTED = 10_000;

function countAttempt(attempts: Map<string, number>, id: string): number {
  const attempt = (attempts.get(id) ?? 0) + 1;
  attempts.set(id, attempt);
  const [oldest] = attempts.keys();
  if (attempts.size > MAX_COUNTED && oldest !== undefined) attempts.delete(oldest);
  return attempt;
}

function listenForIds({ client, receiver, stopping, say }: Listening, attempts: Map<string, number>): void {
  const lines = createInterface({ input: process.stdin, signal: stopping });
  lines.on('line', (line) => {
    const id = line.trim();
    if (id === '' || receiver === null) return;
    resend({ client, receiver, say }, id, countAttempt(attempts, id)).catch((error: unknown) =>
      say(error instanceof Error ? error.message : String(error)),
    );
  });
}

const SPAN = /^(\d+)(s|m|h|d)$/;
const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const Unit = z.enum(['s', 'm', 'h', 'd']);

/** Reads a span such as `10m`, or a time. */
export function readSince(given: string | undefined, now = new Date()): Date {
  if (given === undefined) return now;
  const [, count, unit] = SPAN.exec(given) ?? [];
  if (count !== undefined) return new Date(now.getTime() - Number(count) * SECONDS[Unit.parse(unit)] * 1_000);
  const time = new Date(given);
  if (Number.isNaN(time.getTime())) throw new UsageError('--since must be a time, or a span as 10m, 2h or 1d.');
  return time;
}

export function readTypes(given: string | undefined): string[] | null {
  if (given === undefined) return null;
  const types = given.split(',').map((type) => type.trim());
  const known: readonly string[] = EVENT_TYPES;
  const unknown = types.filter((type) => !known.includes(type));
  if (unknown.length > 0)
    throw new UsageError(`There is no event ${unknown.join(', ')}: there are ${known.join(', ')}.`);
  return types;
}
