import { describe, expect, test } from '@jest/globals';
import { dayAt, isFirstAt, keyOf, threadOf } from '../../../packages/console/pages/inbox/thread.ts';
import type { Entry, Story } from '../../../packages/console/pages/inbox/thread.ts';
import { aMessage } from './a-message.ts';
import { aTurn } from './a-turn.ts';

const NOON = Date.parse('2026-03-02T12:00:00');
const at = (seconds: number): number => NOON / 1000 + seconds;
const iso = (seconds: number): string => new Date(NOON + seconds * 1000).toISOString();

const message = (messageId: string, seconds: number): Story['messages'][number] =>
  aMessage({ messageId, body: messageId, timestamp: at(seconds) });

const turn = (id: string, messageIds: string[], seconds: number): Story['turns'][number] =>
  aTurn({
    id,
    messageIds,
    outcome: messageIds.length > 0 ? 'reply' : 'silence',
    begunAt: iso(seconds),
    endedAt: iso(seconds),
  });

const keys = (entries: Entry[]): string[] => entries.map(keyOf);

describe('a conversation on the screen', () => {
  test('goes from the oldest to the newest, and keeps the order of what was said in one second', () => {
    const messages = [message('c', 2), message('b', 1), message('a', 1)];
    expect(keys(threadOf({ messages, turns: [], handovers: [], hasOlder: false, hasNewer: false }))).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  test('shows a turn before what came of it, whenever it ended, and a silence where it was decided', () => {
    const messages = [message('reply-2', 6), message('reply-1', 5), message('question', 1)];
    const turns = [turn('silent', [], 9), turn('answered', ['reply-1', 'reply-2'], 5.4)];
    const entries = threadOf({ messages, turns, handovers: [], hasOlder: false, hasNewer: false });
    expect(keys(entries)).toEqual(['question', 'answered', 'reply-1', 'reply-2', 'silent']);
  });

  test('says when somebody took it over', () => {
    const handovers: Story['handovers'] = [
      { at: iso(3), mode: 'human_takeover', cause: 'assign', assignedTo: 'Maria', reason: null, actor: null, epoch: 2 },
    ];
    const entries = threadOf({
      messages: [message('b', 4), message('a', 1)],
      turns: [],
      handovers,
      hasOlder: false,
      hasNewer: false,
    });
    expect(keys(entries)).toEqual(['a', 'epoch-2', 'b']);
  });

  test('leaves out what is older than the messages that are loaded, which it could not put in its place', () => {
    const story = { messages: [message('b', 4)], turns: [turn('old', [], 1)], handovers: [] };
    expect(keys(threadOf({ ...story, hasOlder: true, hasNewer: false }))).toEqual(['b']);
    expect(keys(threadOf({ ...story, hasOlder: false, hasNewer: false }))).toEqual(['old', 'b']);
  });

  test('leaves out what is newer than the loaded messages around one that was found', () => {
    const story = { messages: [message('b', 4)], turns: [turn('today', [], 90_000)], handovers: [] };
    expect(keys(threadOf({ ...story, hasOlder: false, hasNewer: true }))).toEqual(['b']);
    expect(keys(threadOf({ ...story, hasOlder: false, hasNewer: false }))).toEqual(['b', 'today']);
  });

  test('names each day before its first line', () => {
    const entries = threadOf({
      messages: [message('c', 86_500), message('b', 86_400), message('a', 1)],
      turns: [turn('late', [], 86_401)],
      handovers: [],
      hasOlder: false,
      hasNewer: false,
    });
    expect(keys(entries)).toEqual(['a', 'b', 'late', 'c']);
    expect(entries.map((_, index) => dayAt(entries, index)?.getTime())).toEqual([
      at(1) * 1_000,
      at(86_400) * 1_000,
      undefined,
      undefined,
    ]);
  });

  test('names the days of the time zone', () => {
    const [early, late] = [Date.parse('2026-03-02T14:59:00Z'), Date.parse('2026-03-02T15:01:00Z')];
    const entries = [early, late].map((ms) => aMessage({ messageId: `${ms}`, timestamp: ms / 1_000 }));
    expect(dayAt(entries, 1, 'Asia/Tokyo')).toEqual(new Date(late));
    expect(dayAt(entries, 1, 'Europe/Berlin')).toBeUndefined();
  });

  test('names an author before the first of their messages, also with a turn between two', () => {
    const entries = threadOf({
      messages: [message('b', 2), message('a', 1)],
      turns: [turn('silent', [], 1.5)],
      handovers: [],
      hasOlder: false,
      hasNewer: false,
    });
    expect(keys(entries)).toEqual(['a', 'silent', 'b']);
    expect([isFirstAt(entries, 0), isFirstAt(entries, 2)]).toEqual([true, false]);
  });

  test('has 100,000 messages with a turn in their middle', () => {
    const messages = Array.from({ length: 100_000 }, (_, n) => message(`m${100_000 - n}`, 100_000 - n));
    const entries = threadOf({
      messages,
      turns: [turn('answered', ['m50000'], 99_999)],
      handovers: [],
      hasOlder: true,
      hasNewer: false,
    });
    expect(entries).toHaveLength(100_001);
    expect(keys(entries).slice(49_998, 50_001)).toEqual(['m49999', 'answered', 'm50000']);
  });
});
