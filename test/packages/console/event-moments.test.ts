import { describe, expect, test } from '@jest/globals';
import { tellingsOf } from '../../../packages/console/pages/message/event-moments.ts';
import { Engine } from '../../../packages/typescript/src/index.ts';

const BEGAN_MS = Date.parse('2026-03-02T09:30:00.000Z');
const STEP_MS = 10_000;
const timeOf = (place: number): string => new Date(BEGAN_MS + place * STEP_MS).toISOString();

/** The places of the events about the message: its send, a read that it knows the time of, a reaction of just now. */
const SENT = 1;
const READ = 500;
const REACTED = 990;

/** A conversation in which somebody writes every ten seconds. */
const conversation = (count: number) =>
  Array.from({ length: count }, (_, place) => ({
    id: `evt_${place}`,
    type: 'message.any',
    createdAt: timeOf(place),
    body: JSON.stringify({ messageId: [SENT, READ, REACTED].includes(place) ? 'msg_mine' : `msg_${place}` }),
  }));

/** Answers as the engine's lists do: the newest events without bodies, or from the oldest on with them. */
const engineWith = (count: number) => {
  const asked: URL[] = [];
  const answer = (url: URL) => {
    if (url.pathname.endsWith('/deliveries')) return { deliveries: [], hasMore: false, nextCursor: null };
    asked.push(url);
    const at = (name: string, none: number): number => Date.parse(url.searchParams.get(name) ?? '') || none;
    const limit = Number(url.searchParams.get('limit'));
    const after = url.searchParams.get('after');
    const [since, until] = [at('since', 0), at('until', Number.POSITIVE_INFINITY)];
    const fitting = conversation(count).filter(
      ({ createdAt }) => Date.parse(createdAt) >= since && Date.parse(createdAt) < until,
    );
    if (after === null) {
      const events = fitting.toReversed().slice(0, limit);
      return {
        events: events.map(({ id, type, createdAt }) => ({ id, type, createdAt })),
        hasMore: fitting.length > limit,
        nextCursor: 'x',
      };
    }
    const from = after === 'start' ? 0 : Number(after);
    const hasMore = from + limit < fitting.length;
    return { events: fitting.slice(from, from + limit), hasMore, nextCursor: String(from + limit) };
  };
  const fetched = (async (input: string | URL | Request) =>
    Response.json(answer(new URL(input instanceof Request ? input.url : input)))) satisfies typeof fetch;
  return { asked, engine: new Engine({ url: 'http://engine.test', key: 'k', fetch: fetched }) };
};

const told = (engine: Engine) =>
  tellingsOf(
    engine,
    { id: 'msg_mine', conversationId: 'cnv_1', moments: [timeOf(SENT), timeOf(READ)] },
    new AbortController().signal,
  );

describe('the events that told of a message', () => {
  test('are found in a busy conversation: at its own moments, and among the newest', async () => {
    const { engine } = engineWith(1_000);
    expect((await told(engine)).map(({ id }) => id)).toEqual([`evt_${SENT}`, `evt_${READ}`, `evt_${REACTED}`]);
  });

  test('are read at once where the conversation is short', async () => {
    const { engine, asked } = engineWith(50);
    expect((await told(engine)).map(({ id }) => id)).toEqual([`evt_${SENT}`]);
    expect(asked).toHaveLength(1);
  });
});
