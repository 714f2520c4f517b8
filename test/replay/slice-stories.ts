import type { WorkflowHandle } from '@temporalio/client';
import { call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import type { TestEngine } from '../support/engine.ts';
import { ORDINARY, anAgency, ended } from './a-story-scene.ts';
import type { Story } from './a-story-scene.ts';
import { CANARY } from './canary.ts';
import { findExecution, setStatus } from './wait.ts';

/** Whoever has a number that ends like this is sent to at once, and the backend answers long after that. */
const ANSWERS_LATE = '0011';

export const SLICE_STORIES: readonly Story[] = [
  {
    name: 'deliver-slice-sent',
    tell: async (engine) => ended(await broadcast(engine, 'sliced', [ORDINARY, ORDINARY, ORDINARY])),
  },
  {
    name: 'deliver-slice-slow',
    // Four calls take all the slots of the session, so the last message is left to the second activity.
    async tell(engine) {
      const late = Array.from({ length: 4 }, () => ANSWERS_LATE);
      return ended(await broadcast(engine, 'sliced-slowly', [...late, ORDINARY]));
    },
  },
];

/** Sends to people with these last digits while their session is away, so that all messages are let go together. */
async function broadcast(engine: TestEngine, name: string, lastDigits: readonly string[]): Promise<WorkflowHandle> {
  const agency = await anAgency(engine, name);
  await setStatus(engine, agency, 'FAILED');
  for (const [index, digits] of lastDigits.entries()) await sendBulk(engine, agency, `${1_555_020 + index}${digits}`);
  await setStatus(engine, agency, 'WORKING');
  return findExecution(engine, `WorkflowType = 'deliverSlice' and AgencyId = 'a-${name}'`);
}

async function sendBulk(engine: TestEngine, { scopedKey }: Agency, to: string): Promise<void> {
  const body = { to, text: CANARY.text, priority: 'bulk' };
  const { status } = await call(engine, 'POST', '/api/v1/messages/send', { key: scopedKey, body });
  if (status !== 202) throw new Error(`The send was answered ${status}.`);
}
