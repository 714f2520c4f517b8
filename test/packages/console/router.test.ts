import { describe, expect, test } from '@jest/globals';
import {
  baseOf,
  changeQuery,
  isSamePage,
  matchPath,
  pathWithin,
  readQuery,
  writeQuery,
} from '../../../packages/console/shell/router.ts';

describe('an address of the console', () => {
  test('is another page for another agency, and the same one for other filters', () => {
    const at = (address: string): URL => new URL(address, 'https://engine.test');
    expect(isSamePage(at('/console/workflows/f?agency=a'), at('/console/workflows/f?agency=a&tenant=t'))).toBe(true);
    expect(isSamePage(at('/console/workflows/f?agency=a'), at('/console/workflows/f?agency=b'))).toBe(false);
    expect(isSamePage(at('/console/workflows/f'), at('/console/workflows'))).toBe(false);
  });

  test('gives a page what stands in it, and says which pages it is not', () => {
    expect(matchPath('/message/:id?', '/message/msg_1')).toEqual({ id: 'msg_1' });
    expect(matchPath('/message/:id?', '/message')).toEqual({ id: undefined });
    expect(matchPath('/message/:id', '/message/')).toBeNull();
    expect(matchPath('/message/:id?', '/message/a/b')).toBeNull();
    expect(matchPath('/events/:tab?/:id?', '/events/endpoints/whe_1')).toEqual({ tab: 'endpoints', id: 'whe_1' });
    expect(matchPath('/message/:id', '/inbox/msg_1')).toBeNull();
  });

  test('may hold what needs an escape, and half of one', () => {
    expect(matchPath('/message/:id', '/message/a%2Fb%20c')).toEqual({ id: 'a/b c' });
    expect(matchPath('/message/:id', '/message/%E0%A4%A')).toEqual({ id: '%E0%A4%A' });
  });

  test('has equal filters in equal words, and none that are empty', () => {
    const one = changeQuery(readQuery('?unread=true'), { search: 'Ann & Bob', mode: undefined });
    const other = changeQuery(readQuery('?search=Ann%20%26%20Bob&mode=x'), { unread: true, mode: '' });
    expect(writeQuery(one)).toBe('?search=Ann+%26+Bob&unread=true');
    expect(writeQuery(other)).toBe(writeQuery(one));
    expect(writeQuery(changeQuery(one, { search: undefined, unread: false }))).toBe('');
  });

  test('works behind a proxy that puts something before it', () => {
    expect(baseOf('/engine/console/inbox/cnv_1')).toBe('/engine/console');
    expect(baseOf('/console')).toBe('/console');
    expect(baseOf('/consoles/console/inbox')).toBe('/consoles/console');
    expect(pathWithin('/engine/console', '/engine/console/inbox/cnv_1')).toBe('/inbox/cnv_1');
    expect(pathWithin('/console', '/console')).toBe('/');
  });
});
