import { describe, expect, it } from '@jest/globals';
import { filtersOf, viewOf, VIEWS } from '../../../packages/console/pages/inbox/views.ts';
import { IS_TROUBLE, troubleOf } from '../../../packages/console/pages/inbox/words.ts';
import { tabIcon, tabTitle } from '../../../packages/console/shell/tab-sign.ts';
import {
  accountOf,
  forgetWaiting,
  isListed,
  tellWaiting,
  waiting,
} from '../../../packages/console/shell/waiting-count.ts';
import { SILENCE_TEXTS } from '../../../domain/agent/sales-agent.ts';

describe('the lists of the inbox', () => {
  it('are each what their own filters ask for', () => {
    for (const { view } of VIEWS) {
      const query = JSON.parse(JSON.stringify(filtersOf(view, 'Maria')));
      expect(viewOf(query, 'Maria')).toBe(view);
    }
  });

  it('count the chats of somebody else among all', () => {
    expect(viewOf({ assigned: 'Ben' }, 'Maria')).toBe('all');
    expect(viewOf({ mode: 'human_takeover' }, 'Maria')).toBe('all');
  });
});

describe('the badge of a chat', () => {
  const said = { body: 'It is.', timestamp: 1, fromMe: true, messageId: 'msg_1', origin: 'ai' } as const;
  const chat = { lastMessage: said, lastMessageStatus: 'read', agentSilence: null, waitingSince: null } as const;
  const since = '2026-03-02T12:00:00.000Z';

  it('says that the last message did not arrive, or may not have', () => {
    expect(troubleOf(chat)).toBeNull();
    expect(troubleOf({ ...chat, lastMessageStatus: 'failed' })).toMatchObject({ word: 'Not sent', tone: 'bad' });
    expect(troubleOf({ ...chat, lastMessageStatus: 'uncertain' })).toMatchObject({ word: 'Uncertain', tone: 'warn' });
    expect(troubleOf({ ...chat, lastMessageStatus: 'cancelled' })).toBeNull();
    expect(troubleOf({ ...chat, lastMessageStatus: 'cancelled', waitingSince: since })).toMatchObject({
      word: 'Cancelled',
    });
  });

  it('says that the agent was silent while somebody waits, unless somebody has chosen that', () => {
    const waits = { ...chat, lastMessage: { ...said, fromMe: false }, waitingSince: since };
    expect(troubleOf({ ...waits, agentSilence: 'stale' })).toEqual({
      word: 'No answer',
      tone: 'warn',
      why: 'The agent said nothing: the message was too old',
    });
    expect(troubleOf({ ...waits, agentSilence: 'stale', waitingSince: null })).toBeNull();
  });

  it('decides of every silence of the engine whether a person is left alone', () => {
    const waits = { ...chat, lastMessage: { ...said, fromMe: false }, waitingSince: since };
    const isCode = (code: string): code is keyof typeof SILENCE_TEXTS => code in SILENCE_TEXTS;
    const troubles = Object.keys(SILENCE_TEXTS).flatMap((code) => {
      if (!isCode(code)) return [];
      const trouble = troubleOf({ ...waits, agentSilence: code });
      // A code without words of its own would be shown as "undefined".
      expect([code, trouble?.why.includes('undefined') ?? false]).toEqual([code, false]);
      return trouble === null ? [] : [code];
    });
    expect(troubles.toSorted()).toEqual([
      'agent_late',
      'budget',
      'content_missing',
      'hours',
      'loop',
      'model_failed',
      'opted_out',
      'reply_refused',
      'stale',
      'unknown_address',
    ]);
    expect(Object.keys(IS_TROUBLE).toSorted()).toEqual(Object.keys(SILENCE_TEXTS).toSorted());
  });
});

describe('the count of waiting chats', () => {
  const account = accountOf({ tenantId: 'shop' }, undefined);

  it('takes what the open list of the same account has just counted', () => {
    tellWaiting(account, 4, 1_000);
    expect(waiting.value).toBe(4);
    expect(isListed(account, 3_000)).toBe(true);
    expect(isListed(account, 60_000)).toBe(false);
    expect(isListed(accountOf({ tenantId: 'shop' }, 'other'), 3_000)).toBe(false);
  });

  it('is forgotten with its account', () => {
    tellWaiting(account, 4, 1_000);
    forgetWaiting();
    expect([waiting.value, isListed(account, 1_000)]).toEqual([0, false]);
  });
});

describe('the tab of the browser', () => {
  it('says in its title how many wait', () => {
    expect(tabTitle('Inbox', 'Engine', 0)).toBe('Inbox · Engine');
    expect(tabTitle('Inbox', 'Engine', 3)).toBe('(3) Inbox · Engine');
    expect(tabTitle(undefined, 'Engine', 1_000)).toBe('(99+) Engine');
  });

  it('says it in its picture', () => {
    const shown = (count: number): string => decodeURIComponent(tabIcon(count));
    expect(shown(0)).not.toContain('<text');
    expect(shown(12)).toContain('>12</text>');
    expect(shown(500)).toContain('>99</text>');
  });
});
