import type { TemporalHealth } from '../../../loops/dispatch/temporal-health.ts';
import { ok, problem, warning } from './finding.ts';
import type { Finding } from './finding.ts';

/** Executions that wait for a person are open for three days, and the story of what ended should outlive a weekend. */
const MIN_RETENTION_DAYS = 3;
const BACKLOG = 1_000;
const BACKLOG_AGE_S = 60;

/** Says how Temporal is, beside whether it answers. */
export function temporalFindings(health: TemporalHealth): Finding[] {
  return [retention(health), queues(health), schedule(health)];
}

function retention({ namespace, retentionDays }: TemporalHealth): Finding {
  const says = `namespace "${namespace}" keeps ended executions for ${Math.round(retentionDays * 10) / 10} days`;
  if (retentionDays >= MIN_RETENTION_DAYS) return ok('Namespace', says);
  return warning(
    'Namespace',
    says,
    `Raise it, so that operators can read the history of messages: ./engine temporal operator namespace update --namespace ${namespace} --retention 7d`,
  );
}

function queues({ queues: all }: TemporalHealth): Finding {
  const alone = all.filter(({ pollers }) => pollers === 0).map(({ queue }) => queue);
  const slow = all.filter(({ backlog, backlogAgeSeconds }) => backlog > BACKLOG || backlogAgeSeconds > BACKLOG_AGE_S);
  const says = all.map(({ queue, pollers, backlog }) => `${queue}: ${pollers} at work, ${backlog} wait`).join('; ');
  if (alone.length > 0) {
    return problem(
      'Queues',
      says,
      `Start a worker that serves ${alone.join(', ')} (WORKER_QUEUES names what one does).`,
    );
  }
  if (slow.length === 0) return ok('Queues', says);
  const names = slow.map(({ queue }) => queue).join(', ');
  return warning(
    'Queues',
    says,
    `Tasks wait in ${names}: start more workers, or find the cause (docs/operate/scale.md).`,
  );
}

function schedule({ schedule: found }: TemporalHealth): Finding {
  if (found === 'runs') return ok('Schedule', 'the reconcile is scheduled');
  if (found === 'paused') {
    return warning(
      'Schedule',
      'the reconcile is paused',
      'Resume it: ./engine temporal schedule toggle --schedule-id reconcile --unpause --reason "…"',
    );
  }
  return warning('Schedule', 'the reconcile is not scheduled', 'A worker creates it again within five minutes.');
}
