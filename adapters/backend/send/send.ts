import { canonicalChatId, isChatId } from '../../../domain/network/chat-id.ts';
import type { Outgoing } from '../../../domain/sending/outgoing.ts';
import { errorWordsOf } from '../http/answer.ts';
import type { Deadline } from '../http/deadline.ts';
import type { HttpResult } from '../http/exchange.ts';
import type { Http } from '../http/http.ts';
import type { AccountRestriction } from '../calls/restriction.ts';
import { classifySend } from './outcome.ts';
import type { SendOutcome, SendRefusal, SendRestriction } from './outcome.ts';
import { waysToSend } from './request.ts';
import type { RenderedAs, SendRequest } from './request.ts';

export type RenderedOutcome = SendOutcome & {
  renderedAs?: RenderedAs;
  /**
   * The backend refuses mentions with a file, so they were left out, and people whom a caption mentions are not
   * notified.
   */
  leftOut?: 'mentions';
};

export interface SendCall {
  signal?: AbortSignal | undefined;
  /** The session's engine, or null when it is unknown; when this is left out, the backend is asked for its own. */
  platform?: string | null;
  /** The first byte must be written by then; a later call is not made. */
  beginBy?: Deadline;
}

/**
 * The backend takes 50 MB of JSON, in which a file is a third larger (`docs/extend/backend.md#sending`, 8); the rest is
 * for the text.
 */
export const MAX_FILE_BYTES = 37 * 1024 * 1024;

const RESTRICTION_TIMEOUT_MS = 5_000;

export function createSend(
  http: Http,
  timeouts: { textMs: number; mediaMs: number },
  ask: {
    platform: () => Promise<string | null>;
    restriction: (session: string, timeoutMs: number) => Promise<AccountRestriction | null>;
  },
) {
  /**
   * Options that this backend does not take with a file. They are remembered, because sending a file a second time
   * takes long.
   */
  const refused = new Set<string>();

  /** Sends once and returns the outcome; this never throws for anything that the backend or the network does. */
  return async function send(message: Outgoing, call: SendCall = {}): Promise<RenderedOutcome> {
    const refusal = refusalOf(message);
    if (refusal !== null) return refusal;
    const outgoing = { ...message, chatId: canonicalChatId(message.chatId) };
    const platform = call.platform === undefined && message.kind !== 'text' ? await ask.platform() : call.platform;
    // All the ways share one deadline, because settling a send relies on no call lasting longer.
    const deadline = Date.now() + ('file' in message ? timeouts.mediaMs : timeouts.textMs);
    const [first, ...others] = waysToSend(outgoing, platform ?? null);
    let result = await attempt(first, outgoing.chatId);
    for (const way of others) {
      if (!isUnknownToBackend(result)) break;
      result = await attempt(way, outgoing.chatId);
    }
    return result.outcome === 'restricted' ? concerned(result, message.session) : result;

    async function attempt(way: SendRequest, chatId: string): Promise<RenderedOutcome> {
      const { path, networkId, renderedAs, file } = way;
      const more = Object.entries(way.undocumented ?? {}).filter(([name]) => !refused.has(name));
      const answer = await http.call({
        method: 'POST',
        path,
        body: { ...way.body, ...Object.fromEntries(more) },
        file,
        timeoutMs: deadline - Date.now(),
        beginBy: call.beginBy,
        signal: call.signal,
      });
      const unknown = more.flatMap(([name]) => (refusesField(answer, name) ? [name] : []));
      for (const name of unknown) refused.add(name);
      if (unknown.length > 0) return attempt(way, chatId);
      return {
        ...classifySend(answer, { chatId, networkId }),
        ...(renderedAs === undefined ? {} : { renderedAs }),
        ...(way.undocumented && 'mentions' in way.undocumented && refused.has('mentions')
          ? { leftOut: 'mentions' }
          : {}),
      };
    }
  };

  /**
   * Finds out whom a restriction concerns. The network answers 463 also when it takes no first message for one recipient
   * alone, and then the account shows no restriction. An account that cannot be asked counts as restricted.
   */
  async function concerned(result: RenderedOutcome & SendRestriction, session: string): Promise<RenderedOutcome> {
    try {
      const restriction = await ask.restriction(session, RESTRICTION_TIMEOUT_MS);
      if (restriction !== null || result.detail !== 'reachout_timelock')
        return { ...result, until: restriction?.until ?? null };
      return { outcome: 'not_sent', retry: 'never', reason: 'recipient_refused', detail: 'account_not_restricted' };
    } catch {
      return { ...result, until: null };
    }
  }
}

/**
 * Refuses a send with a missing part here, because the backend does not check: its answer would be a 500, which counts
 * as uncertain.
 */
function refusalOf(message: Outgoing): SendRefusal | null {
  const never = { outcome: 'not_sent', retry: 'never' } as const;
  const nothing = message.kind === 'text' ? message.text === '' : 'file' in message && message.file.data.length === 0;
  if (!isChatId(message.chatId) || message.session === '' || nothing) {
    return { ...never, reason: 'backend_refused', detail: 'invalid_request' };
  }
  if ('file' in message && message.file.data.length > MAX_FILE_BYTES) {
    return { ...never, reason: 'media_too_large', detail: 'file_too_large' };
  }
  return null;
}

/** Matches answers that say for certain that nothing was sent because the backend does not know this kind of call. */
function isUnknownToBackend(result: RenderedOutcome): boolean {
  return (
    result.outcome === 'not_sent' &&
    (result.detail === 'not_implemented' || result.detail === 'http_400' || result.detail === 'http_404')
  );
}

/** Tells whether the answer refuses a field by its name. A backend in strict mode does so before it sends anything. */
function refusesField(answer: HttpResult, name: string): boolean {
  if (answer.kind !== 'answer' || answer.status !== 400) return false;
  return errorWordsOf(answer).text.includes(`property ${name} should not exist`);
}
