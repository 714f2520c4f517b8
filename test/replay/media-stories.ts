import type { WorkflowHandle } from '@temporalio/client';
import type { TestEngine } from '../support/engine.ts';
import { anAgency, ended, PNG } from './a-story-scene.ts';
import type { Story } from './a-story-scene.ts';
import { CANARY } from './canary.ts';
import { findExecution, untilTimer } from './wait.ts';

/** Somebody sends a picture; its fetch, once it has begun. */
async function aPicture(engine: TestEngine, name: string): Promise<WorkflowHandle> {
  const { session } = await anAgency(engine, name);
  const media = { mimetype: 'image/png', filename: `${CANARY.text}.png`, data: PNG.toString('base64') };
  const written = { from: `${CANARY.phone}1234`, text: CANARY.text, pushName: CANARY.name, media };
  await engine.control('POST', `/sessions/${session.name}/inbound`, written);
  return findExecution(engine, `WorkflowType = 'fetchMedia' AND SessionId = '${session.id}'`);
}

export const MEDIA_STORIES: readonly Story[] = [
  { name: 'fetch-media-stored', tell: async (engine) => ended(await aPicture(engine, 'picture')) },
  {
    name: 'fetch-media-waits-for-the-backend',
    async tell(engine) {
      await engine.control('POST', '/faults', { route: 'files', kind: 'status500', count: 100 });
      const handle = await untilTimer(await aPicture(engine, 'no-picture'), 'backend_error');
      await engine.control('DELETE', '/faults');
      return handle;
    },
  },
];
