import { describe, expect, test } from '@jest/globals';
import { attachmentOf } from '../../../packages/typescript/src/index.ts';
import {
  contentOf,
  EMPTY,
  filesOf,
  markOf,
  whyNot,
  writtenSince,
} from '../../../packages/console/pages/inbox/draft.ts';

describe('what somebody writes', () => {
  test('leaves out what they have begun and left empty', async () => {
    const draft = { ...EMPTY, text: 'Hello', files: [{ url: ' ', kind: 'image' as const }], buttons: ['', ' Yes '] };
    expect(await contentOf(draft, attachmentOf)).toEqual({
      text: 'Hello',
      attachments: undefined,
      buttons: [{ type: 'reply', text: 'Yes' }],
      sendAt: undefined,
    });
  });

  test('goes out at the time of their own clock', async () => {
    const { sendAt } = await contentOf({ ...EMPTY, text: 'Hello', later: '2026-03-02T09:30' }, attachmentOf);
    expect(sendAt).toBe(new Date('2026-03-02T09:30').toISOString());
  });

  test('may have files of the device, which are shown as what they are', async () => {
    const files = filesOf([
      new File(['one'], 'one.png', { type: 'image/png', lastModified: 1 }),
      new File(['two'], 'two.pdf', { type: 'application/pdf', lastModified: 2 }),
    ]);
    const { attachments } = await contentOf({ ...EMPTY, files }, attachmentOf);
    expect(attachments).toEqual([
      { kind: 'image', mimeType: 'image/png', fileName: 'one.png', data: btoa('one') },
      { kind: 'document', mimeType: 'application/pdf', fileName: 'two.pdf', data: btoa('two') },
    ]);
    expect(whyNot({ ...EMPTY, files })).toBeNull();
  });

  test('is another message with another file', () => {
    const file = (size: number, lastModified: number) =>
      filesOf([new File([new Uint8Array(size)], 'a.png', { type: 'image/png', lastModified })]);
    const marks = [file(1, 1), file(1, 1), file(1, 2)].map((files) => JSON.stringify(markOf({ ...EMPTY, files })));
    expect(marks[0]).toBe(marks[1]);
    expect(marks[0]).not.toBe(marks[2]);
  });

  test('is refused with a sentence before it is sent in vain', () => {
    const file = { url: 'https://shop.example/a.png', kind: 'image' as const };
    expect(whyNot(EMPTY)).toBe('Write a message or add a file first.');
    expect(whyNot({ ...EMPTY, files: [file] })).toBeNull();
    expect(whyNot({ ...EMPTY, files: [file], buttons: ['Yes'] })).toBe('Buttons need a text above them.');
    expect(whyNot({ ...EMPTY, text: 'Well?', files: [file], buttons: ['Yes'] })).toBe(
      'A message cannot have both files and buttons. Send them separately.',
    );
    expect(whyNot({ ...EMPTY, text: 'Well?', buttons: ['Yes', 'Yes '] })).toBe('Each button needs a different label.');
  });

  test('keeps what is written while it is being sent', () => {
    const [first, second] = filesOf([
      Object.assign(new Blob(['1']), { name: '1.txt', lastModified: 1 }),
      Object.assign(new Blob(['2']), { name: '2.txt', lastModified: 2 }),
    ]);
    if (!first || !second) throw new Error('Two files were picked.');
    const sent = { ...EMPTY, text: 'Hello', files: [first], buttons: ['Yes'] };
    expect(writtenSince(sent, sent)).toEqual(EMPTY);
    expect(writtenSince(sent, { ...sent, text: 'Hello and more', files: [first, second] })).toEqual({
      ...EMPTY,
      text: 'and more',
      files: [second],
    });
    expect(writtenSince(sent, { ...sent, text: 'Another' })).toEqual({ ...EMPTY, text: 'Another' });
  });
});
