import { describe, expect, jest, test } from '@jest/globals';
import { arriveBy, nameOfLogin } from '../../../packages/console/shell/arrival.ts';
import type { Who } from '../../../packages/console/shell/who.ts';

const login = (more: Partial<Who> = {}): Who => ({
  kind: 'dashboard',
  keyName: 'office',
  scopes: 'all',
  agencyId: 'acme',
  tenantId: null,
  sessionId: null,
  endpointId: null,
  readOnly: false,
  pages: null,
  expiresAt: '2026-03-02T09:30:00.000Z',
  link: null,
  brand: null,
  temporalUi: null,
  mediaOrigin: null,
  version: '1',
  sandbox: true,
  ...more,
});
const TICKET = 'clk_1.secret';
const BY_LINK = login({ kind: 'link', keyName: null, link: { id: 'clk_1', name: 'Ada' } });

/** Arrives, and returns the login with what was asked and used on the way. */
async function arrival({
  ticket,
  has,
  yes = false,
  opens = BY_LINK,
}: {
  ticket: string | null;
  has: Who | null | Error;
  yes?: boolean;
  opens?: Who | Error;
}) {
  const given = <T>(value: T | Error): Promise<T> =>
    value instanceof Error ? Promise.reject(value) : Promise.resolve(value);
  const asks = jest.fn(() => Promise.resolve(yes));
  const open = jest.fn(() => given(opens));
  const refused = jest.fn();
  const by = await arriveBy({ ticket, read: () => given(has), open, asks, refused });
  return { by, asked: asks.mock.calls.length, opened: open.mock.calls.length, refused: refused.mock.calls.length };
}

describe('a link', () => {
  test('is opened at once where nobody is logged in', async () => {
    expect(await arrival({ ticket: TICKET, has: null })).toEqual({ by: BY_LINK, asked: 0, opened: 1, refused: 0 });
    const ended = await arrival({ ticket: TICKET, has: new Error('The agency is suspended.') });
    expect(ended).toEqual({ by: BY_LINK, asked: 0, opened: 1, refused: 0 });
  });

  test('replaces the login of somebody else only after a question', async () => {
    const has = login();
    expect(await arrival({ ticket: TICKET, has })).toEqual({ by: has, asked: 1, opened: 0, refused: 0 });
    expect(await arrival({ ticket: TICKET, has, yes: true })).toEqual({ by: BY_LINK, asked: 1, opened: 1, refused: 0 });
  });

  test('that is opened again by its own holder asks nothing', async () => {
    expect(await arrival({ ticket: TICKET, has: BY_LINK })).toEqual({ by: BY_LINK, asked: 0, opened: 0, refused: 0 });
    const other = await arrival({ ticket: 'clk_10.secret', has: BY_LINK });
    expect(other).toEqual({ by: BY_LINK, asked: 1, opened: 0, refused: 0 });
  });

  test('that no longer works leaves the login, and says so', async () => {
    const [has, opens] = [login(), new Error('This link no longer works.')];
    const left = await arrival({ ticket: TICKET, has, yes: true, opens });
    expect(left).toEqual({ by: has, asked: 1, opened: 1, refused: 1 });
    await expect(arrival({ ticket: TICKET, has: null, opens })).rejects.toThrow('no longer works');
  });
});

test('without a link, the login of the browser is read', async () => {
  expect(await arrival({ ticket: null, has: null })).toEqual({ by: null, asked: 0, opened: 0, refused: 0 });
  expect(await arrival({ ticket: null, has: BY_LINK })).toMatchObject({ by: BY_LINK, opened: 0 });
  await expect(arrival({ ticket: null, has: new Error('The engine returned 503.') })).rejects.toThrow('503');
});

test('a login is named as its holder knows it', () => {
  expect([
    nameOfLogin(BY_LINK),
    nameOfLogin(login()),
    nameOfLogin(login({ keyName: null })),
    nameOfLogin(login({ kind: 'master', keyName: null })),
  ]).toEqual(['the link “Ada”', 'the key “office”', 'a key of a dashboard', 'the master key']);
});
