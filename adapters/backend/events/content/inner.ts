import { z } from 'zod';
import type { RawMessage } from '../raw-message.ts';
import { isFields } from '../raw.ts';

/** Names of contents that only wrap another content: disappearing and view-once messages, documents with a caption. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'deviceSentMessage',
  // A message that was edited, as the store of NOWEB lists it.
  'editedMessage',
  'pollCreationMessageV4',
  'associatedChildMessage',
  'botInvokeMessage',
  'botForwardedMessage',
  'commentMessage',
  'eventCoverImage',
  'groupMentionedMessage',
  'groupStatusMessage',
  'groupStatusMessageV2',
  'limitSharingMessage',
  'lottieStickerMessage',
  'pollCreationOptionImageMessage',
  'questionMessage',
  'spoilerMessage',
  'statusAddYours',
  'statusMentionMessage',
]);

/** It comes beside other contents, and says nothing by itself. */
export const BESIDE = 'messageContextInfo';

const Content = z.record(z.string(), z.unknown());
const Wrapped = z.object({ message: Content });
const MAX_WRAPPERS = 6;

/** Answers what the engine below shows of the content; null where it shows nothing. */
export function wrappedContent({ _data: data }: RawMessage): Record<string, unknown> | null {
  const told = data?.message ?? data?.Message ?? null;
  return typeof told === 'string' ? null : told;
}

/** Answers the same without what wraps the content. */
export function contentIn(raw: RawMessage): Record<string, unknown> | null {
  const content = wrappedContent(raw);
  return content === null ? null : unwrapped(content);
}

/** Takes the content itself out of the contents that only wrap it, also out of wrappers that are new to the network. */
function unwrapped(content: Record<string, unknown>): Record<string, unknown> {
  let inner = content;
  for (let depth = 0; depth < MAX_WRAPPERS; depth += 1) {
    const named = Object.entries(inner).filter(([name, value]) => value !== null && name !== BESIDE);
    const isAlone = named.length === 1;
    const found = named
      // Most contents wrap nothing, and a schema that refuses a value costs more than all else that is read of it.
      .filter(([name, value]) => (WRAPPERS.has(name) || isAlone) && isFields(value) && isFields(value['message']))
      .map(([, value]) => Wrapped.safeParse(value))
      .find(({ success }) => success);
    if (!found?.success) break;
    inner = found.data.message;
  }
  return inner;
}
