import { z } from 'zod';
import { expect, shown } from '../stage.ts';
import type { Connected } from '../stage.ts';

const Contacts = z.array(z.object({ id: z.string() }));

export async function passThrough(stage: Connected): Promise<void> {
  const { body } = await shown(stage, 200, 'GET', '/api/v1/contacts/all?limit=3', { key: stage.scopedKey });
  expect(Contacts.parse(body).length === 3, 'The backend must answer three contacts.');
  // Another tenant's session gets the same 404 as one that does not exist.
  await shown(stage, 404, 'GET', '/api/v1/contacts/all?session=somebody-elses', { key: stage.scopedKey });
}
