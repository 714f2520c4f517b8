import { z } from 'zod';
import { Address, Anything, Flag, Numeric, orNull, Text, Words } from './raw.ts';

const RawInfo = z.looseObject({ PushName: Text });

const RawContent = z.record(z.string(), z.unknown());

/**
 * The raw message in the shape of the engine below: `key` and `message` come from NOWEB, `Info` and `Message` from
 * GOWS, the rest from WEBJS. Everything else in it stays, because `spelling/table.ts` says where which engine tells what.
 */
const RawData = z.looseObject({
  Info: orNull(RawInfo),
  // WEBJS has the words of an order here.
  message: orNull(z.union([RawContent, z.string()])),
  Message: orNull(RawContent),
  messageTimestamp: Numeric,
  pushName: Text,
  notifyName: Text,
  duration: Numeric,
  type: Text,
  latestEditMsgKey: orNull(z.object({ id: Text })),
  latestEditSenderTimestampMs: Numeric,
  pollName: Text,
  pollOptions: orNull(z.array(z.object({ name: Words }))),
  pollSelectableOptionsCount: Numeric,
  messageStubType: Anything,
  reactions: orNull(z.array(orNull(z.object({ key: Anything, text: Text, senderTimestampMs: Numeric })))),
});

const RawMedia = z.object({ url: Text, mimetype: Text, filename: Text, error: Anything });
export type RawMedia = z.output<typeof RawMedia>;

/** The backend's `WAMessage`, which stands in events, in listings and as a chat's last message. */
export const RawMessage = z.object({
  id: Anything,
  timestamp: Numeric,
  source: orNull(z.enum(['api', 'app'])),
  body: Text,
  hasMedia: Flag,
  media: orNull(RawMedia),
  ack: Numeric,
  participant: Address,
  author: Address,
  location: orNull(z.record(z.string(), z.unknown())),
  vCards: orNull(z.array(z.unknown())),
  replyTo: orNull(z.object({ id: Anything })),
  _data: orNull(RawData),
});
export type RawMessage = z.output<typeof RawMessage>;
