import { z } from 'zod';
import { expect, expectSame, shown } from '../stage.ts';
import type { Connected } from '../stage.ts';
import type { Followed } from './sending.ts';

const Problem = z.object({
  type: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.string(),
  requestId: z.string(),
  errors: z.array(z.object({ pointer: z.string(), message: z.string() })).optional(),
});

export async function checkErrors(stage: Connected, { messageId }: Followed): Promise<void> {
  const key = stage.scopedKey;
  // One key in sixty ends with an x, and would stay a valid key with an x at its end.
  const wrongKey = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;
  const wrongs: { status: number; code: string; path: string; body?: object; key?: string; pointer?: string }[] = [
    { status: 401, code: 'unauthorized', path: '/api/v1/sessions/status' },
    { status: 401, code: 'unauthorized', path: '/api/v1/sessions/status', key: wrongKey },
    { status: 404, code: 'not_found', path: '/api/v1/inbox/messages/msg_0/status', key },
    { status: 404, code: 'unknown_route', path: '/api/v1/no-such-route', key },
    { status: 403, code: 'forbidden', path: '/api/v1/server/environment', key },
    {
      status: 422,
      code: 'recipient_required',
      path: '/api/v1/messages/send',
      key,
      body: { text: 'x' },
      pointer: '/to',
    },
    { status: 422, code: 'invalid_request', path: '/api/v1/messages/send', key, body: { to: 7 }, pointer: '/to' },
  ];
  for (const { status, code, path, body, pointer, key: given } of wrongs) {
    const answer = await shown(stage, status, body ? 'POST' : 'GET', path, { key: given, body });
    const problem = Problem.parse(answer.body);
    expectSame(problem.code, code, 'The code of the error');
    expect(answer.headers.get('content-type')?.startsWith('application/problem+json') ?? false, 'Not a problem+json.');
    if (pointer !== undefined) expectSame(problem.errors?.[0]?.pointer, pointer, 'The field that the error points to');
  }
  await otherAgency(stage, messageId);
}

/** Shows that another agency's message gets the same 404 as one that does not exist. */
async function otherAgency(stage: Connected, messageId: string): Promise<void> {
  const query = new URLSearchParams({ agencyId: 'somebody-else', tenantId: 'shop' }).toString();
  const path = `/api/v1/inbox/messages/${messageId}/status?${query}`;
  await shown(stage, 404, 'GET', path, { key: stage.target.masterKey });
}
