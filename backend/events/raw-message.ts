import { z } from 'zod';
import { Address, Anything, Flag, Numeric, Text, Words } from './raw.ts';

const RawInfo = z.looseObject({ PushName: Text });

const RawContent = z.record(z.string(), z.unknown());

/**
 * The raw message in the shape of the engine below: `key` and `message` come from NOWEB, `Info` and `Message` from
 * GOWS, the rest from WEBJS. Everything else in it stays, because `spelling/table.ts` says where which engine tells what.
 */
const RawData = z.looseObject({
  Info: RawInfo.nullable().catch(null),
  // WEBJS has the words of an order here.
  message: z.union([RawContent, z.string()]).nullable().catch(null),
  Message: RawContent.nullable().catch(null),
  messageTimestamp: Numeric,
  pushName: Text,
  notifyName: Text,
  duration: Numeric,
  type: Text,
  latestEditMsgKey: z.object({ id: Text }).nullable().catch(null),
  latestEditSenderTimestampMs: Numeric,
  pollName: Text,
  pollOptions: z
    .array(z.object({ name: Words }))
    .nullable()
    .catch(null),
  pollSelectableOptionsCount: Numeric,
  messageStubType: Anything,
  reactions: z
    .array(z.object({ key: Anything, text: Text, senderTimestampMs: Numeric }).nullable().catch(null))
    .nullable()
    .catch(null),
});

const RawMedia = z.object({ url: Text, mimetype: Text, filename: Text, error: Anything });
export type RawMedia = z.output<typeof RawMedia>;

/** The backend's `WAMessage`, which stands in events, in listings and as a chat's last message. */
export const RawMessage = z.object({
  id: Anything,
  timestamp: Numeric,
  source: z.enum(['api', 'app']).nullable().catch(null),
  body: Text,
  hasMedia: Flag,
  media: RawMedia.nullable().catch(null),
  ack: Numeric,
  participant: Address,
  author: Address,
  location: z.record(z.string(), z.unknown()).nullable().catch(null),
  vCards: z.array(z.unknown()).nullable().catch(null),
  replyTo: z.object({ id: Anything }).nullable().catch(null),
  _data: RawData.nullable().catch(null),
});
export type RawMessage = z.output<typeof RawMessage>;
