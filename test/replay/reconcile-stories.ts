import { RECONCILE } from '../../domain/workflows.ts';
import { ended, hideTable } from './a-story-scene.ts';
import type { Story } from './a-story-scene.ts';
import { findExecution } from './wait.ts';

export const RECONCILE_STORIES: readonly Story[] = [
  {
    name: 'reconcile-scheduled',
    async tell(engine) {
      await engine.temporal.schedule.getHandle(RECONCILE.scheduleId).trigger();
      return ended(await findExecution(engine, `WorkflowType = 'reconcile' and ExecutionStatus = 'Completed'`));
    },
  },
  {
    name: 'reconcile-failed',
    async tell(engine) {
      await hideTable(engine, 'conversation', true);
      try {
        await engine.temporal.schedule.getHandle(RECONCILE.scheduleId).trigger();
        return await findExecution(engine, `WorkflowType = 'reconcile' and ExecutionStatus = 'Failed'`);
      } finally {
        await hideTable(engine, 'conversation', false);
      }
    },
  },
];
