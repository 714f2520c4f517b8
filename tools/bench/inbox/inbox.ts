import { z } from 'zod';
import { closedLoop } from '../load.ts';
import { MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, percentile, round } from '../statistics.ts';
import { openDatabase } from '../webhook-ground.ts';
import { layInbox, PER_CHAT, TENANT } from './ground.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const ROUNDS = 3;
const CONNECTIONS = 4;
/** A cost counts as flat when it grows by no more than this. */
const FLAT_WITHIN = 1.2;
const HEADERS = { 'x-api-key': MASTER_KEY };

const Chats = z.object({ nextCursor: z.string().nullable() });
const Messages = z.object({ messages: z.array(z.object({ messageId: z.string() })) });

/** Measures the lists and the search of an inbox with 10 thousand and with a million messages. */
export async function inbox(machine: Machine, seconds: number): Promise<Result[]> {
  const few = await measured(machine, FEW, seconds);
  const many = await measured(machine, MANY, seconds);
  return [...many].map(([name, ms]) => {
    const before = few.get(name) ?? 0;
    return {
      path: `${name}, of ${MANY.toLocaleString('en')} messages`,
      measured: `p95 ${round(ms)} ms`,
      baseline: `of ${FEW.toLocaleString('en')} messages p95 ${round(before)} ms`,
      ratio: ms / before,
      aim: `flat (≤ ${FLAT_WITHIN})`,
      met: ms / before <= FLAT_WITHIN,
    };
  });
}

/** Returns the time within which 95 % of the reads end, by their names. */
async function measured(machine: Machine, messages: number, seconds: number): Promise<Map<string, number>> {
  await machine.newSeries();
  const database = await openDatabase(machine.databaseUrl, 2);
  try {
    await layInbox(database, messages);
  } finally {
    await database.close();
  }
  const engine = await machine.startEngine('api');
  try {
    const reads = await readsOf(engine.url, messages);
    const p95s = new Map<string, number[]>();
    for (let n = 0; n <= ROUNDS; n += 1) {
      for (const [name, path] of reads) {
        const get = () => ({ method: 'GET' as const, path, headers: HEADERS });
        const { latencies } = await closedLoop(engine.url, get, { connections: CONNECTIONS, seconds });
        // The first round makes the plans and warms the pages.
        if (n > 0) p95s.set(name, [...(p95s.get(name) ?? []), percentile(latencies, 0.95)]);
      }
    }
    return new Map([...p95s].map(([name, each]) => [name, median(each)]));
  } finally {
    await engine.stop();
  }
}

/** The reads, by their names; a page is as far from the beginning as from the end. */
async function readsOf(url: string, messages: number): Promise<Map<string, string>> {
  const at = (path: string, query: Record<string, string>) =>
    `/api/v1${path}?${new URLSearchParams({ ...TENANT, limit: '20', ...query }).toString()}`;
  const read = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, { headers: HEADERS });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const half = String(messages / PER_CHAT / 2);
  const chats = Chats.parse(await read(at('/inbox/chats', { offset: half })));
  const talk = '/inbox/conversations/cnv_7/messages';
  const middle = Messages.parse(await read(at(talk, { offset: String(PER_CHAT / 2), limit: '1' })));
  const found = (q: string) => at('/messages/search', { q });
  return new Map([
    ['the first page of chats', at('/inbox/chats', {})],
    ['a page of chats in the middle, by its cursor', at('/inbox/chats', { cursor: chats.nextCursor ?? '' })],
    ['chats by a name', at('/inbox/chats', { search: 'person 77' })],
    ['unread chats', at('/inbox/chats', { unread: 'true' })],
    ['the newest messages of a chat', at(talk, {})],
    ['messages around one', at(talk, { around: middle.messages[0]?.messageId ?? '' })],
    ['a search for a rare word', found('rare')],
    ['a search for a word in one message of a hundred', found('often')],
    ['a search for a word in one message of ten', found('frequent')],
    ['a search for words in a row', found('"number777 still"')],
  ]);
}
