import type { WorkflowHandle } from '@temporalio/client';
import { SIGNALS } from '../../domain/names.ts';
import type { TestEngine } from '../support/engine.ts';
import { startFileServer } from '../support/file-server.ts';
import { ORDINARY, PNG, anAgency, attached, loseStatus, send, supervisor } from './a-story-scene.ts';
import type { Story } from './a-story-scene.ts';
import { setStatus, untilContinued, untilTimer } from './wait.ts';

/** Runs that ended for a new one, and runs that go on with what such a one has given them. */
export const NEXT_RUN_STORIES: readonly Story[] = [
  {
    name: 'deliver-message-continued',
    tell: async (engine) => (await refusedForLong(engine, 'refused')).run,
  },
  {
    name: 'deliver-message-next-run',
    tell: async (engine) => (await refusedForLong(engine, 'delivered-late')).message,
  },
  {
    name: 'supervise-session-continued',
    async tell(engine) {
      const session = supervisor(engine, await anAgency(engine, 'watched'));
      return untilContinued(engine, session, () => session.signal(SIGNALS.statusChanged));
    },
  },
  {
    name: 'supervise-session-next-run',
    async tell(engine) {
      const agency = await anAgency(engine, 'watched-on');
      const session = supervisor(engine, agency);
      await untilContinued(engine, session, () => session.signal(SIGNALS.statusChanged));
      await setStatus(engine, agency, 'FAILED');
      await untilTimer(session, 'FAILED');
      await setStatus(engine, agency, 'WORKING');
      return untilTimer(session, 'WORKING');
    },
  },
];

/** A file whose session is away until its run is full; the next one delivers it. */
async function refusedForLong(
  engine: TestEngine,
  name: string,
): Promise<{ message: WorkflowHandle; run: WorkflowHandle }> {
  const files = await startFileServer({ '/': (response) => void response.end(PNG) });
  const agency = await anAgency(engine, name);
  await loseStatus(engine, agency, 'FAILED');
  const message = await send(engine, agency, ORDINARY, attached(files.url));
  await untilTimer(message, 'check again soon');
  const run = await untilContinued(engine, message, () => message.signal(SIGNALS.released));
  await setStatus(engine, agency, 'WORKING');
  await message.result();
  await files.close();
  return { message, run };
}
