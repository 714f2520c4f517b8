import { SIGNALS } from '../../domain/names.ts';
import { eventually } from '../support/eventually.ts';
import { aWebhookReceiver } from '../support/webhook-receiver.ts';
import { DECISION, WEBHOOK_SECRET, anAgency, deleted, write } from './a-story-scene.ts';
import type { Story } from './a-story-scene.ts';
import { findExecution, untilContinued, untilTimer } from './wait.ts';

export const WEBHOOK_STORIES: readonly Story[] = [
  {
    name: 'deliver-webhooks-continued',
    async tell(engine) {
      await anAgency(engine, 'busy');
      const endpoint = await findExecution(engine, `WorkflowType = 'deliverWebhooks' and AgencyId = 'a-busy'`);
      return untilContinued(engine, endpoint, () => endpoint.signal(SIGNALS.changed));
    },
  },
  {
    name: 'deliver-webhooks-retried',
    async tell(engine) {
      const receiver = await aWebhookReceiver(WEBHOOK_SECRET, (_event, tries) => (tries <= 2 ? 500 : 204));
      const agency = await anAgency(engine, 'retried', receiver.url);
      await write(engine, agency);
      // The first attempt is made by the worker that heard of the event; what it left is drained by the workflow.
      const drain = await findExecution(engine, `WorkflowType = 'deliverWebhooks' and AgencyId = 'a-retried'`);
      await untilTimer(drain, 'wait for the next attempt');
      await eventually(() => {
        // The author of the second attempt, the workflow or a worker, decides when the third is due.
        engine.database.clock.advance(5_000);
        return receiver.taken('message').length === 1;
      });
      return deleted(engine, drain, () => receiver.close());
    },
  },
  {
    name: 'deliver-webhooks-decided',
    async tell(engine) {
      const receiver = await aWebhookReceiver(WEBHOOK_SECRET);
      const agency = await anAgency(engine, 'decided', receiver.url);
      const endpoint = await findExecution(engine, `WorkflowType = 'deliverWebhooks' and AgencyId = 'a-decided'`);
      await endpoint.executeUpdate('pause', { args: [DECISION] });
      await write(engine, agency);
      await endpoint.executeUpdate('resume', { args: [DECISION] });
      await eventually(() => receiver.taken('message').length === 1);
      await endpoint.executeUpdate('retryNow', { args: [DECISION] });
      await endpoint.executeUpdate('replaySince', { args: [{ ...DECISION, since: '2026-01-01T00:00:00Z' }] });
      await eventually(() => receiver.taken('message').length === 2);
      return deleted(engine, endpoint, () => receiver.close());
    },
  },
];
