import { isSuccess } from './http/answer.ts';
import { createCapabilities, createChooseMessageId } from './calls/capabilities.ts';
import { clockSkewOf } from './calls/clock-skew.ts';
import type { ClockSkew } from './calls/clock-skew.ts';
import { createContactCalls } from './calls/contacts.ts';
import { createFileCalls } from './calls/files.ts';
import { createGroupCalls } from './calls/groups.ts';
import { createHistoryCalls } from './calls/history.ts';
import { createBreaker } from './http/breaker.ts';
import { createHttp } from './http/http.ts';
import { createKeyCalls } from './calls/keys.ts';
import { createLabelCalls } from './calls/labels.ts';
import { createMessageActionCalls } from './calls/message-actions.ts';
import { createMessageFileCalls } from './calls/message-file.ts';
import { createOwnMessageCalls } from './calls/own-messages.ts';
import { createPresenceCalls } from './calls/presence.ts';
import { createPairingCalls } from './calls/pairing.ts';
import { createProfileCalls } from './calls/profile.ts';
import { createQrCalls } from './calls/qr.ts';
import { READ_TIMEOUT_MS } from './http/read.ts';
import { createSend } from './send/send.ts';
import { createSessionCalls } from './calls/sessions.ts';
import { readStartedAt } from './calls/started-at.ts';

export interface BackendOptions {
  baseUrl: string;
  apiKey: string | null;
  /** The engine of its sessions, where the operator says so; else the backend is asked. */
  engine?: string | null;
  /** A send that takes longer ends as unknown, not as failed (`docs/backend.md#sending`, 2). */
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
