import { describe, expect, it } from '@jest/globals';
import type { Buttons, List } from '../../../domain/sending/content.ts';
import { asNumberedText, choiceOf, optionsOf, rendersNatively } from '../../../domain/sending/interactive.ts';

const PHONE = '15557654321@c.us';
const GROUP = '120363000000000000@g.us';

const buttons: Buttons = {
  header: 'Delivery',
  footer: 'The shop',
  buttons: [
    { type: 'reply', text: 'Yes', id: 'yes' },
    { type: 'url', text: 'Our page', url: 'https://shop.example/a' },
    { type: 'reply', text: 'No' },
  ],
};

const list: List = {
  title: 'Menu',
  button: 'Choose',
  footer: 'Thank you',
  sections: [
    {
      title: 'Hot',
      rows: [
        { title: 'Tea', rowId: 't', description: 'green' },
        { title: 'Coffee', rowId: 'c' },
      ],
    },
    { title: '', rows: [{ title: 'Water', rowId: 'w' }] },
  ],
};

describe('interactive messages', () => {
  it.each([
    ['buttons', 'NOWEB', PHONE, true],
    ['buttons', 'noweb', PHONE, true],
    ['buttons', 'GOWS', PHONE, false],
    ['buttons', 'WEBJS', PHONE, false],
    ['buttons', null, PHONE, false],
    ['list', 'NOWEB', PHONE, true],
    ['list', 'GOWS', '123456789012345@lid', true],
    ['list', 'NOWEB', GROUP, false],
    ['list', 'WEBJS', PHONE, false],
    ['list', 'NOWEB', '1@newsletter', false],
  ] as const)('%s on %s to %s are shown as they are: %s', (kind, platform, chatId, native) => {
    expect(rendersNatively(kind, platform, { chatId, quotes: false })).toBe(native);
    expect(rendersNatively(kind, platform, { chatId, quotes: true })).toBe(native && kind === 'list');
  });

  it('buttons become numbered text, with links under it', () => {
    expect(asNumberedText('May we come?', buttons)).toBe(
      'Delivery\n\nMay we come?\n\n1. Yes\n2. No\n\nOur page: https://shop.example/a\n\nThe shop',
    );
    expect(asNumberedText('May we?', { buttons: [{ type: 'reply', text: 'Yes' }] })).toBe('May we?\n\n1. Yes');
  });

  it('a list becomes its sections, numbered through', () => {
    expect(asNumberedText('What would you like?', list)).toBe(
      'Menu\n\nWhat would you like?\n\nHot\n1. Tea – green\n2. Coffee\n\n3. Water\n\nThank you',
    );
  });

  it.each([
    ['2', 'No'],
    ['2.', 'No'],
    ['2)', 'No'],
    [' 2 ', 'No'],
    ['no', 'No'],
    ['YES ', 'yes'],
    ['0', undefined],
    ['3', undefined],
    ['-1', undefined],
    ['2 please', undefined],
    ['Our page', undefined],
    ['', undefined],
  ])('the reply "%s" to the buttons means %s', (reply, id) => {
    expect(choiceOf(optionsOf(buttons), reply)?.id).toBe(id);
  });

  it('the rows of all sections count through', () => {
    expect(choiceOf(optionsOf(list), '3')).toEqual({ id: 'w', text: 'Water' });
  });

  it('a reply that means two options means none', () => {
    const amounts = ['5', '2'].map((text) => ({ id: `${text} pieces`, text }));
    expect(choiceOf(amounts, '2')?.id).toBe('2 pieces');
    expect(choiceOf(amounts, '1')?.id).toBe('5 pieces');
    const crossed = ['2', '5'].map((text) => ({ id: `${text} pieces`, text }));
    expect(choiceOf(crossed, '2')).toBeNull();
    expect(choiceOf(crossed, '5')?.id).toBe('5 pieces');
    const same = [
      { id: 'a', text: 'Blue' },
      { id: 'b', text: 'blue' },
    ];
    expect(choiceOf(same, 'blue')).toBeNull();
    expect(choiceOf(same, '2')?.id).toBe('b');
  });
});
