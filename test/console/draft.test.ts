import { describe, expect, test } from '@jest/globals';
import { contentOf, EMPTY, whyNot } from '../../console/pages/inbox/draft.ts';

describe('what somebody writes', () => {
  test('leaves out what they have begun and left empty', () => {
    const draft = { ...EMPTY, text: 'Hello', files: [{ url: ' ', kind: 'image' as const }], buttons: ['', ' Yes '] };
    expect(contentOf(draft)).toEqual({
      text: 'Hello',
      attachments: undefined,
      buttons: [{ type: 'reply', text: 'Yes' }],
      sendAt: undefined,
    });
  });

  test('goes out at the time of their own clock', () => {
    const { sendAt } = contentOf({ ...EMPTY, text: 'Hello', later: '2026-03-02T09:30' });
    expect(sendAt).toBe(new Date('2026-03-02T09:30').toISOString());
  });

  test('is refused with a sentence before it is sent in vain', () => {
    const file = { url: 'https://shop.example/a.png', kind: 'image' as const };
    expect(whyNot(EMPTY)).toBe('Write something first.');
    expect(whyNot({ ...EMPTY, files: [file] })).toBeNull();
    expect(whyNot({ ...EMPTY, files: [file], buttons: ['Yes'] })).toBe('Buttons need words above them.');
    expect(whyNot({ ...EMPTY, text: 'Well?', files: [file], buttons: ['Yes'] })).toBe(
      'Send files and buttons one after the other.',
    );
    expect(whyNot({ ...EMPTY, text: 'Well?', buttons: ['Yes', 'Yes '] })).toBe('Two buttons say the same.');
  });
});
