import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { SessionCalls } from '../../adapters/backend/backends.ts';
import { placeOf } from '../../db/sending/before-send.ts';
import type { BeforeSend } from '../../db/sending/before-send.ts';
import { recordUnavailableMedia } from '../../db/conversations/media.ts';
import { findMessageById } from '../../db/conversations/message.ts';
import { isMedia } from '../../domain/sending/content.ts';
import { EngineError } from '../../domain/error.ts';
import type { MediaFailure } from '../../domain/sending/media.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { inTime } from '../in-time.ts';
import { createMediaActivities } from './media.ts';
import type { FileToLoad } from './media.ts';
import { endIt } from './send-result.ts';
import type { SendResult } from './send-result.ts';

/**
 * A file's server that does not answer is asked this many times, which takes about two minutes with the pauses between.
 */
const FETCH_ATTEMPTS = 6;
const MIN_TYPING_MS = 600;
const MAX_TYPING_MS = 5_000;
const MS_PER_CHARACTER = 40;
const CALL_WITHIN_MS = 2_000;

/** Provides what a message needs before its claim: its file in the store, and the sight of somebody typing. */
export function createPrepare(
  deps: Pick<ActivityDependencies, 'database' | 'backends' | 'egress' | 'media' | 'shares' | 'thumbnails'>,
) {
  const { database, backends } = deps;
  const media = createMediaActivities(deps);

  /**
   * Fetches the file into the store and returns undefined once the file is there. Failures of the file's server are
   * counted in the row, so Temporal's retries after our own failures do not use them up.
   */
  async function fetchFile(before: BeforeSend): Promise<SendResult | undefined> {
    if (!isMedia(before.kind)) return undefined;
    const { messageId } = before;
    const prepared = await media.prepareMedia({ messageId });
    switch (prepared.state) {
      case 'ready':
        return undefined;
      case 'busy':
        return { state: 'retry', reason: 'the worker fetches as many files as it may' };
      case 'failed':
        return endIt(database, before, { status: 'failed', reason: prepared.reason, detail: prepared.detail });
      case 'unavailable': {
        const { detail } = prepared;
        const reason = 'media_unavailable' satisfies MediaFailure;
        const times = await database.transaction((tx) => recordUnavailableMedia(tx, messageId, detail));
        if (times >= FETCH_ATTEMPTS) return endIt(database, before, { status: 'failed', reason, detail });
        throw new EngineError(reason, detail);
      }
    }
  }

  /** Shows typing, and returns the file that the call needs, or null when it needs none. */
  async function prepare(before: BeforeSend): Promise<FileToLoad | null> {
    const { messageId, sessionName: session, chatId, body: text } = before;
    if (before.types && before.sessionStatus === WORKING) {
      await showTyping(backends.of(placeOf(before)), { session, chatId }, { messageId, text });
    }
    if (!isMedia(before.kind)) return null;
    const message = await database.read((queries) => findMessageById(queries, messageId));
    return message && media.storedFile(message);
  }

  return { fetchFile, prepare };
}

/**
 * Returns how long a person would type this text, by its length. The message's id varies the time, so that no two
 * messages take equally long.
 */
export function typingMs(messageId: string, text: string): number {
  const spread = 0.8 + (createHash('sha256').update(messageId).digest().readUInt16BE() / 0xffff) * 0.4;
  return Math.min(MAX_TYPING_MS, Math.max(MIN_TYPING_MS, Math.round(text.length * MS_PER_CHARACTER * spread)));
}

/**
 * Marks the chat as read and types for a while, as a person does. Safe to repeat, and safe to leave out: a failure here
 * does not keep the message from going.
 */
async function showTyping(
  backend: Pick<SessionCalls, 'sendSeen' | 'startTyping' | 'stopTyping'>,
  chat: { session: string; chatId: string },
  message: { messageId: string; text: string },
): Promise<void> {
  await tolerate(backend.sendSeen(chat));
  await tolerate(backend.startTyping(chat));
  await pause(typingMs(message.messageId, message.text));
  await tolerate(backend.stopTyping(chat));
}

async function tolerate(call: Promise<void>): Promise<void> {
  try {
    await inTime(call, CALL_WITHIN_MS);
  } catch {
    // A failure changes nothing: typing is only for show.
  }
}
