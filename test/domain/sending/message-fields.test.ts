import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { AnyMessage, DeliveryStatus, MessageView } from '../../../domain/sending/message.ts';
import { UnsentMessage } from '../../../domain/sending/unsent.ts';
import {
  CallEventPayload,
  EditedEventPayload,
  PollVoteEventPayload,
  ReactionEventPayload,
  RevokedEventPayload,
} from '../../../domain/webhooks/change-payloads.ts';
import { AckEventPayload, MediaEventPayload, MessageEventPayload } from '../../../domain/webhooks/event.ts';
import { DeletedMessagePayload, MirroredMessagePayload } from '../../../domain/webhooks/mirror-events.ts';

const SHOWN: Readonly<Record<string, z.ZodObject>> = {
  MessageView,
  DeliveryStatus,
  UnsentMessage,
  MessageEventPayload,
  MediaEventPayload,
  AckEventPayload,
  MirroredMessagePayload,
  DeletedMessagePayload,
  EditedEventPayload,
  RevokedEventPayload,
  ReactionEventPayload,
  PollVoteEventPayload,
  CallEventPayload,
};

/** A field's type in JSON, without its words. */
function typeOf(field: z.core.$ZodType): string {
  const told = z.toJSONSchema(field, { unrepresentable: 'any' });
  return JSON.stringify(told, (key, value: unknown) => (key === 'description' ? undefined : value));
}

describe('the fields of a message', () => {
  it('have one type in all views and events, but those that some of them narrow or leave open', () => {
    const types = new Map(Object.entries(AnyMessage.shape).map(([name, field]) => [name, typeOf(field)]));
    const others = Object.entries(SHOWN).flatMap(([view, { shape }]) =>
      Object.entries(shape)
        .filter(([name, field]) => types.has(name) && types.get(name) !== typeOf(field))
        .map(([name]) => `${view}.${name}`),
    );
    expect(others).toEqual([
      // Null before the first report.
      'DeliveryStatus.ack',
      'DeliveryStatus.ackName',
      // Only some of the values can occur.
      'UnsentMessage.status',
      'MessageEventPayload.kind',
      'MediaEventPayload.media',
      'AckEventPayload.status',
      // A call has a status of its own.
      'CallEventPayload.status',
    ]);
  });
});
