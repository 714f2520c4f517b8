import { z } from 'zod';
import { isSuccess, jsonOf } from './http/answer.ts';
import { createCapabilities, createChooseMessageId } from './calls/capabilities.ts';
import { clockSkewOf } from './calls/clock-skew.ts';
import type { ClockSkew } from './calls/clock-skew.ts';
import { createContactCalls } from './calls/contacts.ts';
import { createFileCalls } from './calls/files.ts';
import { createHistoryCalls } from './calls/history.ts';
import { createBreaker } from './http/breaker.ts';
import { createHttp } from './http/http.ts';
import { createKeyCalls } from './calls/keys.ts';
import { createLabelCalls } from './calls/labels.ts';
import { createMessageActionCalls } from './calls/message-actions.ts';
import { createMessageFileCalls } from './calls/message-file.ts';
import { createOwnMessageCalls } from './calls/own-messages.ts';
import { createProfileCalls } from './calls/profile.ts';
import { createQrCalls } from './calls/qr.ts';
import { READ_TIMEOUT_MS, read, parseAnswer } from './http/read.ts';
import { createSend } from './send/send.ts';
import { createSessionCalls } from './calls/sessions.ts';
import type { NetworkGroup } from '../../domain/group.ts';
import { groupMembersOf, groupNameOf, RawMembers } from './events/group.ts';
import type { Http } from './http/http.ts';
import { EngineError } from '../../domain/error.ts';
import { unreachable } from './http/refusal.ts';

export interface BackendOptions {
  baseUrl: string;
  apiKey: string | null;
  /** The engine of its sessions, where the operator says so; else the backend is asked. */
  engine?: string | null;
  /** A send that takes longer ends as unknown, not as failed (`docs/extend/backend.md#sending`, 2). */
  textTimeoutMs?: number;
  /** Longer than that of texts, because the backend uploads a file, and may convert it, before it answers. */
  mediaTimeoutMs?: number;
  readTimeoutMs?: number;
  connectTimeoutMs?: number;
  /**
   * The connections for sends; there must be more of them than sends in flight. All other calls have as many
   * connections of their own, so that hanging sends never hold them up.
   */
  connections?: number;
  now?: () => number;
}

const PING_TIMEOUT_MS = 5_000;

export type Backend = ReturnType<typeof createBackend>;

/** Puts the messaging network behind one interface. Reads throw `EngineError`; sends return their outcome. */
export function createBackend(options: BackendOptions) {
  const { readTimeoutMs = READ_TIMEOUT_MS, now = Date.now } = options;
  const connection = {
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    connections: options.connections ?? 128,
    breaker: createBreaker(),
  };
  const sends = createHttp(connection);
  const http = createHttp(connection);
  const capabilities = createCapabilities(http, { timeoutMs: readTimeoutMs, engine: options.engine ?? null, now });
  const sessions = createSessionCalls(http, readTimeoutMs);
  const send = createSend(
    sends,
    { textMs: options.textTimeoutMs ?? 60_000, mediaMs: options.mediaTimeoutMs ?? 180_000 },
    {
      platform: () =>
        capabilities().then(
          ({ platform }) => platform,
          () => null,
        ),
      restriction: sessions.getRestriction,
    },
  );

  /** Makes the only call that needs no key. */
  function ping() {
    return http.call({ method: 'GET', path: '/ping', timeoutMs: PING_TIMEOUT_MS });
  }

  return {
    ...sessions,
    ...createQrCalls(http, readTimeoutMs),
    ...createPairingCalls(http),
    ...createProfileCalls(http, readTimeoutMs),
    ...createFileCalls(http),
    ...createMessageFileCalls(http, capabilities),
    ...createKeyCalls(http),
    ...createHistoryCalls(http, readTimeoutMs),
    ...createOwnMessageCalls(http, capabilities, readTimeoutMs),
    ...createContactCalls(http, readTimeoutMs),
    ...createLabelCalls(http),
    ...createGroupCalls(http),
    ...createPresenceCalls(http, readTimeoutMs),
    capabilities,
    chooseMessageId: createChooseMessageId(capabilities),
    ...createMessageActionCalls(sends),

    send,

    /** Tells whether the backend answers at all. */
    async ping(): Promise<boolean> {
      const result = await ping();
      return result.kind === 'answer' && isSuccess(result);
    },

    /**
     * Returns how far the backend's clock is from ours; null when the backend does not answer or does not tell the
     * time.
     */
    async readClockSkew(ourTime: () => number): Promise<ClockSkew | null> {
      const beforeMs = ourTime();
      const result = await ping();
      const afterMs = ourTime();
      return result.kind === 'answer' && isSuccess(result) ? clockSkewOf(result.date, { beforeMs, afterMs }) : null;
    },

    /** Answers when the backend's process was started, by its own clock; null when it does not tell. */
    readStartedAt: (signal?: AbortSignal) => readStartedAt(http, readTimeoutMs, signal),

    /** Breaks the calls in flight; sends among them end as unknown. */
    close: async () => {
      await Promise.all([sends.close(), http.close()]);
    },
  };
}

const RawGroup = z.looseObject({});

/** A reader waits for this answer and is shown what is stored without it. */
const TIMEOUT_MS = 5_000;

/** Asks the backend about groups. */
function createGroupCalls(http: Http) {
  /** Returns a group's name and who is in it. Throws when the backend does not know the group or gives no answer. */
  async function readGroup({ session, chatId }: { session: string; chatId: string }): Promise<NetworkGroup> {
    const path = `/api/${encodeURIComponent(session)}/groups/${encodeURIComponent(chatId)}`;
    const ask = { method: 'GET' as const, timeoutMs: TIMEOUT_MS, doing: 'read the group' };
    const [group, members] = await Promise.all([
      read(http, RawGroup, { ...ask, path }),
      read(http, RawMembers, { ...ask, path: `${path}/participants/v2` }),
    ]);
    return { name: groupNameOf(group), members: groupMembersOf(members) };
  }

  return { readGroup };
}

interface InChat {
  session: string;
  chatId: string;
}

/**
 * Shows contacts when the account types or reads. Each call may be repeated or left out, because no message depends on
 * it.
 */
function createPresenceCalls(http: Http, timeoutMs: number) {
  const calls = (path: string, doing: string) => {
    return async ({ session, chatId }: InChat): Promise<void> => {
      await read(http, z.unknown(), { method: 'POST', path, body: { session, chatId }, timeoutMs, doing });
    };
  };

  return {
    startTyping: calls('/api/startTyping', 'show typing'),
    stopTyping: calls('/api/stopTyping', 'stop showing typing'),
    /** Asks the backend to report from now on when somebody types in the chat. */
    async subscribePresence({ session, chatId }: InChat): Promise<void> {
      const path = `/api/${encodeURIComponent(session)}/presence/${encodeURIComponent(chatId)}/subscribe`;
      await read(http, z.unknown(), { method: 'POST', path, timeoutMs, doing: 'follow the presence' });
    },
    /** Marks the unread messages of the last seven days as read. */
    sendSeen: calls('/api/sendSeen', 'mark the chat as read'),
  };
}

const Status = z.object({ startTimestamp: z.number() });

/** Answers when the backend's process was started, by its own clock; null when it does not tell. */
async function readStartedAt(http: Http, timeoutMs: number, signal?: AbortSignal): Promise<Date | null> {
  const ask = { method: 'GET', path: '/api/server/status', timeoutMs, ...(signal && { signal }) } as const;
  const result = await http.call(ask);
  if (result.kind !== 'answer' || !isSuccess(result)) return null;
  const status = Status.safeParse(jsonOf(result.body));
  return status.success ? new Date(status.data.startTimestamp) : null;
}

const RawCode = z.object({ code: z.string().min(1) });
const ASKING_FOR_CODE = 'ask for a pairing code';

/** A session that is still starting leaves this call without an answer for a minute and more. */
const PAIRING_TIMEOUT_MS = 15_000;

function createPairingCalls(http: Http) {
  /**
   * Asks the network for the code that the person types on the phone, and which shows that phone a notice. Throws
   * `session_not_ready` when the session gives none.
   */
  async function requestPairingCode({ session, phone }: { session: string; phone: string }): Promise<string> {
    const path = `/api/${encodeURIComponent(session)}/auth/request-code`;
    const body = { phoneNumber: phone };
    const result = await http.call({ method: 'POST', path, body, timeoutMs: PAIRING_TIMEOUT_MS });
    if (result.kind === 'answer') return parseAnswer(result, RawCode, ASKING_FOR_CODE).code;
    if (!result.written || result.cause !== 'timeout') throw unreachable(result, ASKING_FOR_CODE);
    throw new EngineError('session_not_ready', 'The session gives no pairing code now. Ask again in half a minute.', {
      headers: { 'retry-after': '30' },
    });
  }

  return { requestPairingCode };
}
