import { describe, expect, it } from '@jest/globals';
import { colourOf } from '../../../packages/console/pages/inbox/around.ts';
import {
  callText,
  deletedText,
  marksOf,
  noticeText,
  personText,
  voteText,
} from '../../../packages/console/pages/inbox/content/content-words.ts';
import { contentOf, EMPTY, markOf, writtenSince } from '../../../packages/console/pages/inbox/draft.ts';
import { phoneOf } from '../../../packages/console/pages/inbox/person-words.ts';

const named = (address: string): string => `<${address}>`;

describe('a message that is more than words', () => {
  it('says what has happened in a group', () => {
    const group = { changed: ['name', 'participants'], name: 'Team', participants: [{ chatId: '1', change: 'left' }] };
    expect(noticeText({ type: 'group', group }, named)).toBe('The group is called “Team”. <1> left');
    expect(noticeText({ type: 'encryption' }, named)).toBe('The encryption of the chat has changed');
    expect(noticeText({ type: 'group', group: { changed: [], name: null, participants: [] } }, named)).toBe(
      'The group has changed',
    );
  });

  it('says each change of a group, also one that names nobody', () => {
    const said = (changed: string[], participants: { chatId: string; change: string }[] = []) =>
      noticeText({ type: 'group', group: { changed, name: null, participants } }, named);
    expect(said(['participants'])).toBe('The group has changed');
    expect([said(['joined']), said(['left'])]).toEqual([
      'The account is in the group now',
      'The account is no longer in the group',
    ]);
    const changes = ['joined', 'left', 'role'].map((change) => said(['participants'], [{ chatId: '1', change }]));
    expect(changes).toEqual(['<1> joined', '<1> left', '<1> has another role']);
  });

  it('names who voted or reacted as the group does', () => {
    expect(voteText({ fromMe: false, from: '1', options: ['Blue', 'Green'] }, named)).toBe('<1>: Blue, Green');
    expect(voteText({ fromMe: true, from: null, options: null }, named)).toBe('You: cannot be read');
    expect(personText({ fromMe: false, from: null }, phoneOf)).toBe('Unknown person');
  });

  it('says whether a call was answered', () => {
    expect(callText({ status: 'received', isVideo: false, isGroup: false })).toBe('Call, not answered');
    expect(callText({ status: 'accepted', isVideo: true, isGroup: true })).toBe(
      'Group video call, answered on the phone',
    );
  });

  it('says how it came and who deleted it', () => {
    expect(marksOf({ forwarded: true, ephemeral: true, renderedAs: 'text' })).toEqual([
      'Forwarded',
      'Disappearing',
      'Sent as a numbered list',
    ]);
    expect(marksOf({ renderedAs: 'native' })).toEqual([]);
    expect(deletedText('sender')).toBe('Deleted for everyone by its sender');
    expect(deletedText(undefined)).toBe('Deleted for everyone');
  });

  it('shows each person of a group in one colour, and their digits as a number', () => {
    expect(colourOf('15550100201')).toBe(colourOf('15550100201'));
    expect(colourOf('15550100201')).toMatch(/^author-[0-5]$/);
    expect([phoneOf('15550100201'), phoneOf('Ada')]).toEqual(['+15550100201', 'Ada']);
  });

  it('quotes another, and forgets that once it is sent', async () => {
    const draft = { ...EMPTY, text: 'This one?', quotes: 'msg_1' };
    expect(await contentOf(draft, () => Promise.resolve(null))).toMatchObject({ replyTo: 'msg_1' });
    expect(writtenSince(draft, draft)).toEqual(EMPTY);
    expect(JSON.stringify(markOf(draft))).not.toBe(JSON.stringify(markOf({ ...draft, quotes: 'msg_2' })));
  });
});
