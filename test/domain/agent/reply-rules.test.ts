import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { visible } from '../../../domain/agent/reply/invisible.ts';
import { withAllowedLinks } from '../../../domain/agent/reply/links.ts';
import { applyReplyRules } from '../../../domain/agent/reply/rules.ts';

const persona = { allowedLinks: ['example.com'], maxReplyCharacters: 300 };
const ruled = (text: string) => applyReplyRules(text, persona);

describe('the rules of replies', () => {
  it('let a plain reply pass as it is', () => {
    const text = 'Yes, we have two boats (4.5 m and 6 m).\nCall +49 151 2345678 or write to jo@shop.org. 😀';
    expect(ruled(text)).toEqual({ text, notes: [] });
  });

  it.each([
    [
      'headings, lists, code and quotations',
      '# Head\n\n* a\n1. c\n\n```js\ncode();\n```\n> q',
      'Head\n\n- a\n1. c\n\ncode();\nq',
    ],
    ['emphasis', '**Bold**, *it*, _x_, ~~no~~ and `y`', 'Bold, it, x, no and y'],
    ['tables', '| a | b |\n|---|---|\n| 1 | 2 |', 'a | b\n1 | 2'],
    ['links with a name', 'See [the shop](https://example.com/a).', 'See the shop https://example.com/a.'],
    ['tags of pages and of our own prompts', '<p>Hi<br>you</p> <message from="customer">', 'Hi\nyou'],
    ['escapes', 'a \\* b &lt;3 &amp; c', 'a * b <3 & c'],
  ])('make plain text of %s', (_what, given, text) =>
    expect(ruled(given)).toEqual({ text, notes: ['markdown_removed'] }),
  );

  it.each(['2 * 3 * 4 = 24', 'snake_case_name', 'I <3 boats', '- a\n- b', 'a > b'])(
    'take no markdown for: %s',
    (text) => expect(ruled(text)).toEqual({ text, notes: [] }),
  );

  it.each([
    'https://example.com/x?a=1&b=2',
    'HTTPS://Example.COM/x',
    'http://shop.example.com',
    'example.com/x',
    'www.example.com.',
    '(example.com/a_(b))',
  ])('let a link to an allowed host and its subdomains pass: %s', (link) =>
    expect(ruled(`See ${link} now`)).toEqual({ text: `See ${link} now`, notes: [] }),
  );

  it.each([
    ['another host', 'https://evil.org/x'],
    ['a host without a scheme', 'evil.org'],
    ['a host in capitals', 'EVIL.ORG/x'],
    ['a host that ends like an allowed one', 'https://notexample.com'],
    ['an allowed host as a subdomain of another', 'example.com.evil.org'],
    ['an allowed host as a user', 'https://example.com@evil.org/x'],
    ['an allowed host as a user, without a scheme', 'example.com@evil.org/x'],
    ['any user', 'https://evil.org@example.com'],
    ['a backslash', 'https://example.com\\@evil.org'],
    ['look-alike letters', 'https://exаmple.com'],
    ['punycode', 'xn--exmple-4uf.com'],
    ['another script', 'https://пример.рф and пример.рф'],
    ['full stops of other scripts', 'evil。org/x'],
    ['another dot', 'evil․org'],
    ['an encoded dot', 'https://example.com%2eevil.org'],
    ['wide letters', 'ｅｖｉｌ．ｏｒｇ'],
    ['a wide dot behind it', 'evil.org．'],
    ['a leader dot behind it', 'evil.org․'],
    ['a half-width full stop behind it', 'evil.org｡'],
    ['a small dot behind it', 'evil.org﹒'],
    ['letters in circles', 'ⓔⓥⓘⓛ.ⓞⓡⓖ'],
    ['an address in digits', 'http://127.0.0.1/x'],
    ['an address without a scheme', '192.168.1.1:80/a'],
    ['an address of version 6', 'https://[::1]/x'],
    ['an address as one number', 'http://2130706433/'],
    ['a scheme without slashes', 'https:evil.org'],
    ['no scheme but slashes', '//evil.org/x'],
    ['another scheme', 'tg://resolve?domain=evil'],
    ['a program', 'javascript:alert(1)'],
    ['what is in the link itself', 'data:text/html,evil'],
    ['a host on the own network', 'http://router/'],
    ['a host cut by characters that nobody sees', 'ev\u200Bil.o\u2060rg'],
    ['a host cut by emphasis', 'ev**il**.org'],
    ['a link behind a harmless name', '[your order](https://evil.org)'],
    ['a link in angle brackets', '<https://evil.org>'],
    ['a short link of the network', 'wa.me/15550100'],
  ])('remove a link to %s', (_what, link) => {
    const { text, notes } = ruled(`Look: ${link} please`);
    expect(notes).toContain('link_removed');
    expect(text).not.toMatch(/evil|\.com|рф|::1|127|192|router|wa\.me|213|alert|html/i);
    expect(text).toMatch(/^Look:.* please$/);
  });

  it.each(['Node.js, price.pdf, e.g. this, z.B. das', 'at 10.30, costs 1.299,00', 'Ja. Ok.', '你好。我们有船。'])(
    'take no link for: %s',
    (text) => expect(ruled(text)).toEqual({ text, notes: [] }),
  );

  it.each([
    ['We have boats.So come!', 'We have boats. So come!'],
    ['We have boats.welcome all', 'We have boats. welcome all'],
    ['Win at evil.sbs now', 'Win at evil. sbs now'],
    ['Win at pay.evil.bond', 'Win at pay. evil. bond'],
    ['Win at evil.org谢谢', 'Win at evil. org谢谢'],
    ['很好.so我们', '很好. so我们'],
  ])('put the space that a sentence lacks, so that no chat makes a link of it: %s', (given, text) =>
    expect(ruled(given).text).toBe(text),
  );

  it('remove a link under any ending where it has a path, and let it pass where its host is allowed', () => {
    expect(ruled('Win at evil.sbs/x now').text).toBe('Win at now');
    const own = { ...persona, allowedLinks: ['own.bond'] };
    expect(applyReplyRules('See shop.own.bond now', own)).toEqual({ text: 'See shop.own.bond now', notes: [] });
  });

  it('remove every link where none is allowed, and leave no brackets around nothing', () =>
    expect(applyReplyRules('Our shop (https://example.com) is open.', { ...persona, allowedLinks: [] })).toEqual({
      text: 'Our shop is open.',
      notes: ['link_removed'],
    }));

  it('cut a long reply at a sentence', () => {
    const { text, notes } = ruled('A boat of nine words is what this is. '.repeat(20));
    expect(text.length).toBeLessThanOrEqual(300);
    expect(text).toMatch(/is\.$/);
    expect(notes).toEqual(['shortened']);
  });

  it('cut a long sentence at a word, and an endless word anywhere', () => {
    expect(ruled('boat '.repeat(100)).text).toMatch(/^(boat )*boat…$/);
    expect(ruled('x'.repeat(100_000)).text).toBe(`${'x'.repeat(299)}…`);
  });

  it('strip what nobody sees', () =>
    expect(ruled('Hi\u202E there\u{E0041}\u0007')).toEqual({ text: 'Hi there', notes: ['characters_removed'] }));

  it.each(['https://evil.org', '***', '  \n ', '()', '\u200B'])('leave nothing of: %j', (text) =>
    expect(ruled(text).text).toBe(''),
  );

  it('leave no link to another host and nothing unseen in whatever was written, and never more than allowed', () => {
    const word = fc.constantFrom(
      '**',
      'https://',
      'evil.org',
      'example.com',
      '(',
      ')',
      '. ',
      '_',
      '`',
      '\n',
      'a',
      '/',
      '@',
      '<b>',
      '\u200B',
      '#',
      'Ja',
      '.',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const { text } = ruled(words.join(''));
        expect(text.length).toBeLessThanOrEqual(300);
        expect(withAllowedLinks(text, persona.allowedLinks)).toEqual({ text, removed: false });
        expect(visible(text)).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    '_a ',
    '**a ',
    '!',
    'a.',
    '[',
    '```\n',
    '<b ',
    'a@',
    'https:',
    '(',
    '\\',
    '- ',
    '|-',
    '0.',
    '.',
    '…',
    '。',
    ' ',
    '\t',
    '\n',
    '{',
    '}',
    '[x](a',
    '| ',
    '"',
    '\u0964',
    '&lt;',
  ])('are done in no time with a flood of %j', (part) => {
    const flood = part.repeat(100_000);
    // Also where the flood is in the middle of something.
    for (const text of [flood, `|${flood}x`, `\`\`\`${flood}x`, `x${flood}x`, `[x](${flood}x`]) {
      expect(ruled(text).text.length).toBeLessThanOrEqual(300);
    }
  });
});
