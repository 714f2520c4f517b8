import { EngineError } from '../../../packages/typescript/src/index.ts';
import { shownClient } from '../shown-client.ts';
import { expect, expectSame } from '../stage.ts';
import type { Connected } from '../stage.ts';

const PATH = '/api/v1/contacts/all';

export async function passThrough(stage: Connected): Promise<void> {
  const engine = shownClient(stage, { key: stage.scopedKey });
  const contacts = await engine.request<{ id: string }[]>('GET', PATH, { query: { limit: 3 } });
  expect(contacts.length === 3 && contacts.every(({ id }) => id !== ''), 'The backend must answer three contacts.');
  // Another tenant's session gets the same 404 as one that does not exist.
  const refusal = await engine.request('GET', PATH, { query: { session: 'somebody-elses' } }).catch((error) => error);
  expectSame(refusal instanceof EngineError && refusal.status, 404, "The answer about another's session");
}
