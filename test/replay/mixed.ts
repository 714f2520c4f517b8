import { defaultPayloadConverter } from '@temporalio/common';
import { z } from 'zod';
import type { RecordedHistory } from './histories.ts';

const Scheduled = z.looseObject({
  eventId: z.string(),
  activityTaskScheduledEventAttributes: z.object({ activityType: z.object({ name: z.string() }) }),
});
const Completed = z.looseObject({
  activityTaskCompletedEventAttributes: z.looseObject({ scheduledEventId: z.string(), result: z.unknown() }),
});
const Started = z.looseObject({
  workflowExecutionStartedEventAttributes: z.looseObject({
    input: z.object({ payloads: z.array(z.unknown()) }),
  }),
});

const MESSAGE = { attempts: 7, waits: 7, level: 0, pauseMs: 2_000, roundsLeft: 100 };

/** The arguments of a continued run beside its id, which the previous release did not have. */
export const CARRIED: Readonly<Record<string, readonly unknown[]>> = {
  superviseSession: [30],
  deliverMessage: [
    { ...MESSAGE, toPrepare: false },
    { ...MESSAGE, toPrepare: true },
  ],
};

/** As if it had been started with one argument more, which the worker that recorded it did not read. */
export function withArgument(history: RecordedHistory, argument: unknown): unknown {
  return changed(history, (event) => {
    const started = Started.safeParse(event);
    if (!started.success) return event;
    const { input } = started.data.workflowExecutionStartedEventAttributes;
    return {
      ...started.data,
      workflowExecutionStartedEventAttributes: {
        ...started.data.workflowExecutionStartedEventAttributes,
        input: { payloads: [...input.payloads, payload(argument)] },
      },
    };
  });
}

/** As if the activity had answered something else. */
export function withResult(history: RecordedHistory, activity: string, result: unknown): unknown {
  const scheduled = history.events.flatMap((event) => {
    const { success, data } = Scheduled.safeParse(event);
    const isIt = success && data.activityTaskScheduledEventAttributes.activityType.name === activity;
    return isIt ? [data.eventId] : [];
  });
  return changed(history, (event) => {
    const { success, data } = Completed.safeParse(event);
    const attributes = data?.activityTaskCompletedEventAttributes;
    if (!success || !scheduled.includes(attributes?.scheduledEventId ?? '')) return event;
    const answered = { ...attributes, result: { payloads: [payload(result)] } };
    return { ...data, activityTaskCompletedEventAttributes: answered };
  });
}

function changed({ events }: RecordedHistory, change: (event: unknown) => unknown): unknown {
  return { events: events.map((event) => change(event)) };
}

function payload(value: unknown): unknown {
  const { metadata, data } = defaultPayloadConverter.toPayload(value);
  const base64 = (bytes?: Uint8Array | null) => Buffer.from(bytes ?? []).toString('base64');
  return { metadata: { encoding: base64(metadata?.['encoding']) }, data: base64(data) };
}
