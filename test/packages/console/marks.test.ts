import { describe, expect, it } from '@jest/globals';
import { partsOf } from '../../../packages/console/pages/inbox/content/marks.ts';
import type { Part } from '../../../packages/console/pages/inbox/content/marks.ts';

const whole = (parts: readonly Part[]): string =>
  parts
    .map((part) => {
      if (part.kind === 'words' || part.kind === 'link') return part.text;
      return part.mark + (part.kind === 'code' ? part.text : whole(part.parts)) + part.mark;
    })
    .join('');

const kinds = (text: string): string[] => partsOf(text).map(({ kind }) => kind);

describe('the words of a message', () => {
  it('have the four marks of the network, also one within another', () => {
    expect(kinds('*bold* _italic_ ~struck~ `code` ```block```')).toEqual([
      'bold',
      'words',
      'italic',
      'words',
      'struck',
      'words',
      'code',
      'words',
      'code',
    ]);
    expect(partsOf('*very _much_ so*')).toMatchObject([
      { kind: 'bold', parts: [{ text: 'very ' }, { kind: 'italic', parts: [{ text: 'much' }] }, { text: ' so' }] },
    ]);
  });

  it('keep signs that mark nothing', () => {
    for (const text of ['2 * 3 * 4', 'snake_case_name', '* one', 'a ** b', '~', '`', 'x*y*z'])
      expect(kinds(text)).toEqual(['words']);
  });

  it('have links, without the sign that ends the sentence', () => {
    expect(partsOf('See https://example.com/a_b_c?d=1.')).toEqual([
      { kind: 'words', text: 'See ' },
      { kind: 'link', text: 'https://example.com/a_b_c?d=1', to: 'https://example.com/a_b_c?d=1' },
      { kind: 'words', text: '.' },
    ]);
    expect(partsOf('(https://example.com/x)')[1]).toMatchObject({ to: 'https://example.com/x' });
    expect(partsOf('https://example.com/x_(y)')[0]).toMatchObject({ to: 'https://example.com/x_(y)' });
    expect(partsOf('(see https://example.com/x_(y))')).toEqual([
      { kind: 'words', text: '(see ' },
      { kind: 'link', text: 'https://example.com/x_(y)', to: 'https://example.com/x_(y)' },
      { kind: 'words', text: ')' },
    ]);
    expect(kinds('javascript:alert(1) data:text/html,x ftp://x')).toEqual(['words']);
  });

  it('have links without a scheme, and mail addresses', () => {
    expect(partsOf('www.shop.example.com or shop.nl/bikes, or mail me@shop.com')).toEqual([
      { kind: 'link', text: 'www.shop.example.com', to: 'http://www.shop.example.com' },
      { kind: 'words', text: ' or ' },
      { kind: 'link', text: 'shop.nl/bikes', to: 'http://shop.nl/bikes' },
      { kind: 'words', text: ', or mail ' },
      { kind: 'link', text: 'me@shop.com', to: 'mailto:me@shop.com' },
    ]);
    expect(partsOf('*shop.com*')).toMatchObject([{ kind: 'bold', parts: [{ kind: 'link', to: 'http://shop.com' }] }]);
    expect(kinds('At 10.30, 2.5 kg, v1.2, file.ts/x, //shop.com')).toEqual(['words']);
  });

  it('have code, and not a link within it or behind it', () => {
    expect(kinds('`https://x.org`')).toEqual(['code']);
    expect(kinds('https://x.org/`code`')).toEqual(['link', 'code']);
  });

  it('have no mark across lines, and none of nothing but marks', () => {
    expect(kinds('*a\nb*')).toEqual(['words']);
    expect(kinds('***')).toEqual(['words']);
    expect(kinds('*a\n*b*')).toEqual(['words', 'bold']);
    expect(partsOf('*a* b*')).toMatchObject([{ kind: 'bold', parts: [{ text: 'a' }] }, { text: ' b*' }]);
    expect(partsOf('*ü*, _😀_')).toMatchObject([{ kind: 'bold' }, { text: ', ' }, { kind: 'italic' }]);
  });

  it('cost the same for each sign of a long text, whatever opens in it and does not close', () => {
    for (const unit of [' *a', ' _a ~b', '`a', ' **', ' https://x.org/((', ' *a_', '*~']) {
      // A search for each opening mark takes seconds for this, and one pass far less than one.
      const text = unit.repeat(Math.ceil((16 * 65_536) / unit.length));
      const before = process.cpuUsage();
      expect(whole(partsOf(text))).toHaveLength(text.length);
      // CPU, because other processes of a busy machine lengthen all times.
      expect([unit, process.cpuUsage(before).user < 3_000_000]).toEqual([unit, true]);
    }
  });

  it('are never lost', () => {
    for (const text of [
      '',
      '*a* b _c',
      '```x`',
      '*https://example.com/*',
      '**a**',
      '*_~a~_*',
      '```',
      'https://x.org/)).',
      'ü*ñ* \u202E*x*',
      '<b>*x*</b>\n_y_',
    ])
      expect(whole(partsOf(text))).toBe(text);
  });
});
