import { ApplicationFailure } from '@temporalio/activity';
import type { BeforeSend } from '../../db/sending/before-send.ts';
import { recordUnavailableMedia } from '../../db/conversations/media.ts';
import { findMessageById } from '../../db/conversations/message.ts';
import type { MediaFailure } from '../../domain/sending/media.ts';
import { WORKING } from '../../domain/session.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { createMediaActivities } from './media.ts';
import type { FileToLoad } from './media.ts';
import { isMedia } from './outgoing.ts';
import { endIt } from './send-result.ts';
import type { SendResult } from './send-result.ts';
import { showTyping } from './typing.ts';

/** Of a file's server that does not answer; with the pauses between them some two minutes. */
const FETCH_ATTEMPTS = 6;

/** What a message needs before it is claimed. */
export function createPrepare(deps: Pick<ActivityDependencies, 'database' | 'backend' | 'egress' | 'media'>) {
  const { database, backend } = deps;
  const media = createMediaActivities(deps);

  /**
   * Fetches the file into the store; undefined once it is there. A server that fails is asked a few times, however many
   * attempts Temporal makes for other reasons: what fails of ours is thrown until the message has expired.
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
        const reason: MediaFailure = 'media_unavailable';
        const times = await database.transaction((tx) => recordUnavailableMedia(tx, messageId, detail));
        if (times >= FETCH_ATTEMPTS) return endIt(database, before, { status: 'failed', reason, detail });
        throw ApplicationFailure.retryable(detail, reason);
      }
    }
  }

  /** Shows typing, and says which file the call needs. */
  async function prepare(before: BeforeSend): Promise<FileToLoad | null> {
    const { messageId, sessionName: session, chatId, body: text } = before;
    if (before.types && before.sessionStatus === WORKING) {
      await showTyping(backend, { session, chatId }, { messageId, text });
    }
    if (!isMedia(before.kind)) return null;
    const message = await database.read((queries) => findMessageById(queries, messageId));
    return message && media.storedFile(message);
  }

  return { fetchFile, prepare };
}
