import { findRun } from '../../db/flows/run.ts';
import type { CallActivities } from '../automations/calls.ts';
import type { LabelActivities } from '../automations/labels.ts';
import type { StopReason } from '../../domain/automations/execution.ts';
import { CallWebhook, Label } from '../../domain/automations/flow-inputs.ts';
import type { FlowFunctionName } from '../../domain/flows/index.ts';
import type { Taken } from '../automations/steps.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { takeOutside } from '../automations/take-step.ts';
import type { Called } from './called.ts';
import type { OutsideFunction } from './functions.ts';
import { createHttp } from './http.ts';

export type FlowLabelActivities = ReturnType<typeof createFlowLabelActivities>;
export type FlowCallActivities = ReturnType<typeof createFlowCallActivities>;

const OUTSIDE: readonly string[] = ['label', 'callWebhook', 'http'] satisfies OutsideFunction[];

export function isOutside(name: FlowFunctionName): name is OutsideFunction {
  return OUTSIDE.includes(name);
}

/** Null where the step was taken; else the reason for which the run must end. */
type Ended = { stop: StopReason | null };

/** The step is noticed by people, so a person who has the conversation stops it. */
const stepOf = (called: Called, name: OutsideFunction) => ({ ...called, name, besidePeople: false });

/** Creates the activity by which a stored workflow labels its chat. */
export function createFlowLabelActivities(
  { database }: Pick<ActivityDependencies, 'database'>,
  { labelChat }: LabelActivities,
) {
  /**
   * Labels the run's chat as its definition says. Safe to repeat: the step is done once.
   * Rows: flow_run, automation_step, label, chat_label, label_lease, event.
   */
  async function labelInFlow(called: Called): Promise<Ended> {
    const input = await inputOf(database, called);
    if (input === null) return { stop: 'requested' };
    const { name: label, mode } = Label.parse(input);
    return endedBy(await labelChat({ ...stepOf(called, 'label'), label, mode }));
  }

  return { labelInFlow };
}

/** Creates the activity by which a stored workflow calls an endpoint of its tenant. */
export function createFlowCallActivities(
  {
    database,
    egress,
    shares,
  }: Pick<ActivityDependencies, 'database' | 'shares'> & {
    egress: Pick<ActivityDependencies['egress'], 'call'>;
  },
  { callWebhook }: CallActivities,
) {
  const http = createHttp({ database, egress, shares });

  /**
   * Calls an endpoint as the run's definition says. Safe to repeat: the bytes and `webhook-id` are the same at each
   * attempt. Rows: flow_run, automation_step, endpoint.
   */
  async function callInFlow(called: Called): Promise<Ended> {
    const input = await inputOf(database, called);
    if (input === null) return { stop: 'requested' };
    const { endpointId, data } = CallWebhook.parse(input);
    return endedBy(await callWebhook({ ...stepOf(called, 'callWebhook'), endpointId, data, answer: null }));
  }

  /**
   * Sends an HTTP request as the run's definition says. Safe to repeat: each attempt has the same `idempotency-key`, and
   * a step that was done is not done again. Rows: flow_run, automation_step, flow_secret.
   */
  async function requestInFlow(called: Called): Promise<Ended> {
    const input = await inputOf(database, called);
    if (input === null) return { stop: 'requested' };
    const step = stepOf(called, 'http');
    return endedBy(await takeOutside(database, step, (standing) => http.send(standing, called, input)));
  }

  return { callInFlow, requestInFlow };
}

async function inputOf(
  database: ActivityDependencies['database'],
  { executionId, number }: Called,
): Promise<Readonly<Record<string, unknown>> | null> {
  const run = await database.read((queries) => findRun(queries, executionId));
  return run?.todo?.do === 'call' && run.number === number ? run.todo.input : null;
}

const endedBy = (taken: Taken): Ended => ({ stop: taken.stop });
