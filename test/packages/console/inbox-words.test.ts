import { describe, expect, it } from '@jest/globals';
import {
  becameText,
  becomesMine,
  givenBackText,
  handoverTitle,
  isQuotable,
  lineOf,
  speakerOf,
  stateOf,
  STATUSES,
  takenText,
  wordlessText,
} from '../../../packages/console/pages/inbox/words.ts';

const isStatus = (status: string): status is keyof typeof STATUSES => status in STATUSES;

describe('the words of the inbox', () => {
  it('tell whoever sent a message what became of it, and leave the promise while it waits', () => {
    expect([undefined, 'queued' as const, 'scheduled' as const].map(becameText)).toEqual([null, null, null]);
    expect(becameText('read')).toBe('Read');
    expect(becameText('failed')).toBe('Not sent');
  });

  it('promise no answer of an agent that is off to whoever gives a chat back', () => {
    expect(givenBackText(null)).toBe('The agent answers again');
    expect(givenBackText('paused')).toBe('Given back. The agent is off, so nobody answers');
    expect(givenBackText('human')).toBe('Given back. People answer in all conversations, so the agent stays silent');
    expect(
      handoverTitle({
        epoch: 2,
        cause: 'release',
        actor: 'api',
        assignedTo: null,
        mode: 'bot_active',
        reason: null,
        at: '',
      }),
    ).toBe('Given back');
  });

  it('name the speaker of the last message of a chat', () => {
    const said = (origin: 'ai' | 'automation' | 'api' | 'person' | 'phone' | null) =>
      speakerOf({ fromMe: true, origin });
    expect([said('ai'), said('automation'), said('api')]).toEqual(['Agent: ', 'Automation: ', 'Program: ']);
    expect([said('person'), said('phone'), said(null)]).toEqual(['You: ', 'You: ', 'You: ']);
    expect([speakerOf(null), speakerOf({ fromMe: false, origin: 'network' })]).toEqual(['', '']);
  });

  it('say in the list of chats what a message without words is', () => {
    const body = '';
    expect(lineOf(null)).toBe('No messages yet');
    expect(lineOf({ body: 'Hello', kind: 'image' })).toBe('Hello');
    expect(lineOf({ body, kind: 'image' })).toBe('Picture');
    expect(lineOf({ body, kind: 'document' })).toBe('File');
    expect(lineOf({ body, kind: 'other', contentState: 'waiting' })).toBe('Its content has not arrived yet.');
    expect(lineOf({ body, kind: 'other', contentState: 'missing' })).toMatch('Its content did not arrive.');
    expect(lineOf({ body, kind: 'other' })).toBe('A message that only the phone shows');
    // A message that was deleted for everybody has no words left.
    expect(lineOf({ body, kind: 'text' })).toBe('A message without words');
  });

  it('say of a message from the phone that it is being matched, until it is', () => {
    expect(stateOf({ status: 'sent', matching: true }).word).toBe('Being matched');
    expect(stateOf({ status: 'sent' }).word).toBe('Sent');
  });

  it('tell a reader that the content of a message has not arrived, and not to look for it on the phone', () => {
    const kind = 'other';
    expect(wordlessText({ kind, contentState: 'waiting' })).toBe('Its content has not arrived yet.');
    expect(wordlessText({ kind, contentState: 'missing' })).toBe(
      'Its content did not arrive. It appears here if it still comes.',
    );
    expect(wordlessText({ kind })).toBe('This message cannot be shown here. Open it on the phone.');
    expect(wordlessText({ kind: 'text' })).toBeUndefined();
  });

  it('tell whoever takes a chat over that the agent falls silent only if it has spoken', () => {
    expect(takenText({ inFlight: 0 }, null)).toBe('You have the conversation. The agent no longer answers here');
    expect(takenText({ inFlight: 0 }, 'paused')).toBe('You have the conversation');
    expect(takenText({ inFlight: 2 }, 'paused')).toBe(
      'You have the conversation. 2 of the agent’s messages may still arrive',
    );
  });

  it('offer to quote only what the network has', () => {
    const quotable = Object.keys(STATUSES).filter((status) => isStatus(status) && isQuotable({ status }));
    expect(quotable.toSorted()).toEqual(['delivered', 'played', 'read', 'received', 'sent']);
    expect(isQuotable({ status: 'sent', matching: true })).toBe(false);
    expect(isQuotable({ status: 'received', revokedAt: '2026-03-02T12:00:00.000Z' })).toBe(false);
  });

  it('give a chat to the person who answers in it, if the agent or nobody by name has it', () => {
    const of = (more: Partial<Parameters<typeof becomesMine>[0]>) =>
      becomesMine({ isOfAgent: false, chat: undefined, sendAt: undefined, me: 'Maria', ...more });
    const taken = { mode: 'human_takeover', assignedTo: null } as const;
    expect([of({ isOfAgent: true }), of({ chat: taken })]).toEqual([true, true]);
    expect(of({ chat: { ...taken, assignedTo: 'Ben' } })).toBe(false);
    // The agent is off there: a reply leaves the chat to it.
    expect(of({ chat: { mode: 'bot_active', assignedTo: null } })).toBe(false);
    expect(of({ isOfAgent: true, me: '' })).toBe(false);
    expect(of({ isOfAgent: true, sendAt: '2026-03-02T12:00:00.000Z' })).toBe(false);
  });

  it('tell who has a chat that was given to somebody else', () => {
    expect(takenText({ inFlight: 0, assignee: 'Ben' }, 'paused')).toBe('Ben has the conversation');
    expect(takenText({ inFlight: 1, assignee: 'Ben' }, null)).toBe(
      'Ben has the conversation. 1 of the agent’s messages may still arrive',
    );
  });
});
