import { z } from 'zod';
import { explained } from '../../explained.ts';
import { ConversationId } from '../../ids.ts';
import { EventView } from '../record.ts';

/** A frame of a stream of server-sent events, which its reader is told of by the name of its `event`. */
export interface Frame {
  /** The cursor after which a reader that has had the frame goes on. */
  id?: string;
  event: string;
  data: object;
  /** The milliseconds after which a reader that has lost the stream comes back. */
  retry?: number;
}

export function writeFrame({ id, event, data, retry }: Frame): string {
  const fields = [
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    `event: ${event}`,
    `data: ${JSON.stringify(data)}`,
  ];
  return `${fields.join('\n')}\n\n`;
}

/**
 * A sign of life that readers are not told of. A frame without data only moves the cursor that a reader goes on with, so
 * that one whose filter shows little does not come back with a cursor that has expired.
 */
export function writeComment(id: string): string {
  return `:\nid: ${id}\n\n`;
}

/** The frames beside those of events; no type of events may be called so. */
export const READY = 'ready';
export const END = 'end';
export const HINT = 'hint';

const StreamedEvent = EventView.omit({ body: true }).meta({
  id: 'StreamedEvent',
  description: "The data of a frame about an event. The frame's name (`event`) is the event type.",
});

const StreamReady = z
  .object({ cursor: z.string().meta({ description: 'The `id` of the frame. A pull can also continue from it.' }) })
  .meta({ id: 'StreamReady', description: 'The data of the frame `ready`: all earlier events have been sent.' });

const HINT_MEANINGS = {
  notes: 'The notes about the contact.',
  viewers: 'The list of people who have the conversation open.',
} as const;
export const HINTS_OF = ['notes', 'viewers'] as const satisfies (keyof typeof HINT_MEANINGS)[];
export type HintOf = (typeof HINTS_OF)[number];

const StreamHint = z
  .object({
    conversationId: ConversationId.meta({ description: 'The conversation in which the team has changed something.' }),
    what: z.enum(HINTS_OF).meta({ description: explained('The changed fields.', HINT_MEANINGS) }),
  })
  .meta({
    id: 'StreamHint',
    description:
      'The data of the frame `hint`: notes about the contact have changed, or the list of people who have it open.',
  });

const END_REASONS = {
  stopping: 'This process of the engine is stopping. Reconnect after `retry` milliseconds.',
  unauthorized: 'The key was revoked or has expired.',
  forbidden: 'The key no longer has permission.',
  dashboard_suspended: 'The operator has suspended the dashboard.',
  ended:
    'A request ended this stream: `DELETE /api/v1/events/streams/{id}`. The key still works, so you can ' +
    'reconnect.',
  cursor_expired: 'The events that would come next have been deleted. Begin again with `after=start`.',
  cursor_invalid: 'The database was restored from an earlier time. Begin again with `after=start`.',
  internal: 'The engine could not continue. Reconnect after `retry` milliseconds.',
} as const;
export type EndReason = keyof typeof END_REASONS;

export function isEndReason(text: string): text is EndReason {
  return Object.hasOwn(END_REASONS, text);
}

const StreamEnd = z
  .object({
    reason: z
      .enum(Object.keys(END_REASONS).filter(isEndReason))
      .meta({ description: explained('Why the stream ends.', END_REASONS) }),
  })
  .meta({ id: 'StreamEnd', description: 'The data of the last frame, `end`.' });

export const STREAM_SCHEMAS = { StreamedEvent, StreamReady, StreamHint, StreamEnd };
