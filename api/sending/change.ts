import type { Change, LockedMessage } from '../../db/sending/waiting.ts';
import { MEDIA_KINDS, MediaKind } from '../../domain/sending/content.ts';
import { EngineError, invalid } from '../../domain/error.ts';
import { MAX_CAPTION_LENGTH } from '../../domain/sending/send.ts';
import { timingOf } from './send.ts';
import type { Timing } from './send.ts';

/** The kinds whose words a request may change; a poll's question, say, is none of its words. */
const HAS_WORDS: ReadonlySet<string> = new Set(['text', ...MEDIA_KINDS, 'buttons', 'list']);

/** Reads what a request changes in a message that waits. */
export function changeOf(body: Timing & { text?: string | undefined }, message: LockedMessage, now: Date): Change {
  const { text } = body;
  if (text !== undefined && !HAS_WORDS.has(message.kind)) {
    throw invalid({
      pointer: '/text',
      message: 'cannot be changed for this kind of message: cancel it and send another',
    });
  }
  if (text !== undefined && message.kind === 'audio' && text !== '') {
    throw invalid({ pointer: '/text', message: 'is not shown with audio' });
  }
  if (text !== undefined && text.length > MAX_CAPTION_LENGTH && MediaKind.safeParse(message.kind).success) {
    throw invalid({ pointer: '/text', message: `is a caption: at most ${MAX_CAPTION_LENGTH} characters` });
  }
  if (text?.trim() === '' && (message.kind === 'text' || message.kind === 'buttons')) {
    throw new EngineError('content_required', 'Cancel the message to withdraw it.', {
      fields: [{ pointer: '/text', message: 'must not be empty' }],
    });
  }
  const { sendAt, expires } = timingOf(body, now);
  const due = sendAt ?? message.dueAt;
  if ('at' in expires) {
    if (expires.at <= due) throw invalid({ pointer: '/expiresAt', message: 'must be later than sendAt' });
    return { text, sendAt, expiresAt: expires.at };
  }
  const keptMs = message.expiresAt ? message.expiresAt.getTime() - message.dueAt.getTime() : expires.afterMs;
  const expiresAt = sendAt && new Date(Math.max(sendAt.getTime(), now.getTime()) + keptMs);
  return { text, sendAt, expiresAt };
}
