import { describe, expect, test } from '@jest/globals';
import {
  asWords,
  excerptOf,
  hitOfChat,
  hitOfId,
  hitOfMessage,
  hitsOfPages,
  mayTake,
} from '../../../packages/console/shell/finder/hits.ts';
import { newerThan } from '../../../packages/console/pages/inbox/newer.ts';
import {
  alertOf,
  isNews,
  newestOf,
  NO_ALERTS,
  readChoices,
  readWait,
  writeChoices,
} from '../../../packages/console/shell/alerts/alert-words.ts';
import { forgetKnown, keyOf, knownOf, queries } from '../../../packages/console/parts/known.ts';

describe('the finder', () => {
  const all = () => true;

  test('leads from an id to its page, if the login may open that', () => {
    const id = 'msg_019a8f3e-9d20-7c01-8a2b-3c5d7e9f1a24';
    expect(hitOfId(` ${id} `, all)).toMatchObject([{ group: 'Ids', title: 'Message', to: `/message/${id}` }]);
    expect(hitOfId(id, () => false)).toEqual([]);
    expect(hitOfId('msg_1', all)).toEqual([]);
    expect(hitOfId('xyz_019a8f3e-9d20', all)).toEqual([]);
  });

  test('finds pages by the beginning of their title', () => {
    const pages = [
      { name: 'inbox', title: 'Inbox', path: '/inbox/:conversationId?' },
      { name: 'agent', title: 'Agent', path: '/agent/:tab?' },
    ];
    expect(hitsOfPages('AG', pages).map(({ to }) => to)).toEqual(['/agent']);
    expect(hitsOfPages('', pages)).toHaveLength(2);
  });

  test('searches the last word as one that is not finished, unless it is quoted', () => {
    expect([asWords('blue refun '), asWords('"thank you"'), asWords('why?')]).toEqual([
      'blue refun*',
      '"thank you"',
      'why?',
    ]);
  });

  test('opens a person beside the list of the account that was asked', () => {
    const ada = { conversationId: 'cnv_1', name: 'Ada' };
    expect(hitOfChat(ada, 'Hello', 'ses_2')).toMatchObject({ to: '/inbox/cnv_1', query: { session: 'ses_2' } });
    expect(hitOfChat(ada, 'Hello', undefined).query).toBeUndefined();
  });

  test('opens a message beside the list of its own account', () => {
    const found = { messageId: 'msg_1', conversationId: 'cnv_1', sessionId: 'ses_2', body: 'Hi', highlights: [] };
    expect(hitOfMessage(found, 'Ada').query).toEqual({ at: 'msg_1', session: 'ses_2' });
  });

  test('takes no person or message of the words before', () => {
    expect([mayTake({ group: 'People' }, false), mayTake({ group: 'Messages' }, false)]).toEqual([false, false]);
    expect([mayTake(undefined, false), mayTake({ group: 'People' }, true)]).toEqual([false, true]);
    expect([mayTake({ group: 'Ids' }, false), mayTake({ group: 'Pages' }, false)]).toEqual([true, true]);
  });

  test('shows the words around a match, which it marks', () => {
    const body = `${'a'.repeat(100)} refund, please refund`;
    const [cut, ...parts] = excerptOf({
      body,
      highlights: [
        { start: 101, end: 107 },
        { start: 116, end: 122 },
      ],
    });
    expect(cut?.words).toBe('… ');
    expect(parts.filter(({ isMatch }) => isMatch).map(({ words }) => words)).toEqual(['refund', 'refund']);
    expect(parts.map(({ words }) => words).join('')).toBe(body.slice(69));
    expect(excerptOf({ body: 'Short', highlights: [] })).toEqual([{ words: 'Short', isMatch: false }]);
  });
});

describe('what is new', () => {
  test('is counted from the newest message that was seen', () => {
    expect(newerThan(['c', 'b', 'a'], 'a')).toBe(2);
    expect([newerThan(['a'], 'a'), newerThan(['a'], 'gone'), newerThan(['a'], undefined)]).toEqual([0, 0, 0]);
  });
});

describe('a notification', () => {
  const chats = [
    { name: 'Ada', waitingSince: '2026-03-02T09:00:00.000Z', lastMessage: null },
    { name: 'Ben', waitingSince: '2026-03-02T09:30:00.000Z', lastMessage: null },
    { name: 'Cem', waitingSince: null, lastMessage: null },
  ];

  test('is off until it is chosen, and the choices are kept', () => {
    expect(readChoices(null)).toEqual(NO_ALERTS);
    expect(writeChoices(NO_ALERTS)).toBeNull();
    const chosen = { sound: true, shows: true, words: false };
    expect(readChoices(writeChoices(chosen))).toEqual(chosen);
  });

  test('has no word of a customer unless that is chosen', () => {
    expect(alertOf(2, undefined, 'A secret')).toEqual({
      title: 'A customer waits',
      text: '2 chats wait for an answer.',
    });
    expect(alertOf(2, newestOf(chats), 'Hello')).toEqual({ title: 'Ben', text: 'Hello' });
    expect(newestOf([])).toBeUndefined();
  });

  test('is about a chat that begins to wait, also while another is answered', () => {
    const wait = { newest: '2026-03-02T09:30:00.000Z', total: 2 };
    expect(isNews(wait, wait)).toBe(false);
    expect(isNews(wait, { ...wait, total: 1 })).toBe(false);
    expect(isNews(wait, { newest: '2026-03-02T09:31:00.000Z', total: 2 })).toBe(true);
    expect(isNews(wait, { ...wait, total: 3 })).toBe(true);
    expect(isNews(wait, { newest: '2026-03-02T09:00:00.000Z', total: 3 })).toBe(false);
  });

  test('comes from one tab of a browser: the others read what it has told of', () => {
    const wait = { newest: '2026-03-02T09:30:00.000Z', total: 2 };
    expect(isNews(readWait(JSON.stringify(wait)), wait)).toBe(false);
    for (const odd of [null, 'x', '7', '{"newest":1}']) expect(isNews(readWait(odd), wait)).toBe(true);
  });
});

describe('what was seen before', () => {
  test('is known in its place until somebody else logs in', () => {
    const here = { agencyId: 'bikes', tenantId: 'shop' };
    queries.setQueryData([keyOf('chats', here), 'all'], 1);
    queries.setQueryData([keyOf('chats', here), 'waiting'], 2);
    queries.setQueryData([keyOf('chat', here), 'all'], 3);
    expect(knownOf('chats', here)).toEqual([1, 2]);
    expect(knownOf('chats', { ...here, tenantId: 'other' })).toEqual([]);
    forgetKnown();
    expect(knownOf('chats', here)).toEqual([]);
  });
});
