import { describe, expect, it } from '@jest/globals';
import { filtersOf, viewOf, VIEWS } from '../../console/pages/inbox/views.ts';
import { troubleOf } from '../../console/pages/inbox/words.ts';
import { tabIcon, tabTitle } from '../../console/shell/tab-sign.ts';

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
    expect(troubleOf({ ...waits, agentSilence: 'paused' })).toBeNull();
    expect(troubleOf({ ...waits, agentSilence: 'stale', waitingSince: null })).toBeNull();
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
