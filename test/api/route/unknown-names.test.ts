import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { routes } from '../../../api/routes.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { anAgency, call } from '../../support/client.ts';
import { MASTER_KEY, PSK } from '../../support/keys.ts';

const api = await apiOfThisFile('unknown-names');
const { session } = await anAgency(api, { agencyId: 'acme' });

const Refusal = z.object({
  errors: z.array(z.object({ pointer: z.string(), message: z.string() })).default([]),
});

/** A refused report would be lost, so what the backend says is judged by its signature alone. */
const judged = routes.filter(({ auth }) => auth !== 'backend');
/** An upload's body is the file itself. */
function takesJson({ method, auth, operation: { requestBody: body } }: (typeof routes)[number]): boolean {
  if (body !== undefined) return 'content' in body && body.content['application/json'] !== undefined;
  return method !== 'GET' && ['tenant', 'client', 'agency'].includes(auth);
}

async function pointersOf(
  { method, path }: Pick<(typeof routes)[number], 'method' | 'path'>,
  query: string,
  body?: Record<string, unknown>,
) {
  const concrete = path.replace(':tenantId', 't1').replace(':agencyId', 'acme').replaceAll(/:\w+/g, session.id);
  const answer = await call(api, method, `${concrete}?${query}`, {
    headers: path.includes('/internal/') ? { authorization: `PSK ${PSK}` } : { 'x-api-key': MASTER_KEY },
    body,
  });
  const pointers = Refusal.parse(answer.body).errors.map(({ pointer }) => pointer);
  return { status: answer.status, pointers };
}

const TARGET = { agencyId: 'acme', tenantId: 't1' };
const IN_QUERY = 'agencyId=acme&tenantId=t1&_=1795226400&_cb=x';

describe('a name that a route does not know', () => {
  it('is refused in the query and in the body of every route, unless it begins with _', async () => {
    const wrong: unknown[] = [];
    for (const route of judged) {
      const body = takesJson(route) ? { ...TARGET, _note: 'mine', colourful: 1 } : undefined;
      const { status, pointers } = await pointersOf(route, `${IN_QUERY}&colourful=1`, body);
      const named = pointers.filter((pointer) => /(?:colourful|_note|_|_cb|agencyId|tenantId)$/.test(pointer));
      const expected = ['query/colourful', ...(body ? ['/colourful'] : [])];
      const isAsExpected = status === 422 && named.toSorted().join() === expected.toSorted().join();
      if (!isAsExpected) wrong.push([`${route.method} ${route.path}`, status, pointers]);
    }
    expect(wrong).toEqual([]);
    expect(judged).toHaveLength(routes.length - 1);
  });

  it('changes nothing of a read where it begins with _', async () => {
    const wrong: unknown[] = [];
    for (const route of judged.filter(({ method }) => method === 'GET')) {
      const target = 'agencyId=acme&tenantId=t1';
      const [plain, marked] = [await pointersOf(route, target), await pointersOf(route, IN_QUERY)];
      if (plain.status !== marked.status) wrong.push([route.path, plain, marked]);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['limt', 'limit'],
    ['sessionId', 'session'],
  ])('is answered with the parameter that was probably meant: %s', async (given, meant) => {
    const { status, body } = await call(api, 'GET', `/api/v1/inbox/chats?agencyId=acme&tenantId=t1&${given}=1`, {
      key: MASTER_KEY,
    });
    const message = `is not a parameter of this request. Did you mean "${meant}"?`;
    expect([status, Refusal.parse(body).errors]).toEqual([422, [{ pointer: `query/${given}`, message }]]);
  });

  it("is none where it is the backend's, and the path is the backend's, too", async () => {
    const all = await call(api, 'GET', '/api/v1/sessions?agencyId=acme&all=true&expand=apps', { key: MASTER_KEY });
    const one = await call(api, 'GET', `/api/v1/sessions/${session.id}?expand=apps`, { key: MASTER_KEY });
    expect([all.status, one.status]).toEqual([200, 200]);
  });
});
