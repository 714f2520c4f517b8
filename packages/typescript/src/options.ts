/** The engine's address and the caller's credentials. */
export interface EngineOptions {
  /** The engine's address, such as `https://engine.example.com`; only a page of the engine itself may omit it. */
  url?: string | undefined;
  /** A session's key, a dashboard's key, or the operator's master key. */
  key?: string | undefined;
  /** The operator's pre-shared key, for the routes that take it: `dashboards`, `parkedEvents`, `encryptionKey`. */
  psk?: string | undefined;
  /** True in a page of the engine itself: the browser's cookie says who calls, and no key is in the page's reach. */
  cookie?: boolean | undefined;
  /** Goes into every call that takes an agency and names none: only the master key needs it. */
  agencyId?: string | undefined;
  /** Goes into every call that takes a tenant and names none. */
  tenantId?: string | undefined;
  /** Retries of a request that may succeed later; 3 by default. */
  retries?: number | undefined;
  /** The time limit of one attempt: 30,000 by default, 60,000 for an uploaded file. The seconds of `wait` are added. */
  timeoutMs?: number | undefined;
  /** The time limit of a call with all its attempts and pauses; 120,000 by default. The seconds of `wait` are added. */
  deadlineMs?: number | undefined;
  /** More headers of every request. */
  headers?: Record<string, string> | undefined;
  /** Another `fetch` than that of the platform. */
  fetch?: typeof globalThis.fetch | undefined;
}

export interface CallOptions extends Pick<EngineOptions, 'retries' | 'timeoutMs' | 'deadlineMs' | 'headers'> {
  /** Makes the call safe to repeat by hand, also from another process. Without one, the client makes one for each call that takes it. */
  idempotencyKey?: string | undefined;
  /** Ends the call. It is thrown with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Hears what else an answer says than its body. */
  onAnswer?: ((answer: AnswerFacts) => void) | undefined;
}

/** Options of calls that can hold their response until the outcome of the messages is known. */
export interface WaitOptions extends CallOptions {
  /** Seconds to wait, 30 at most. */
  wait?: number | undefined;
}

export interface AnswerFacts {
  status: number;
  headers: Headers;
  requestId: string | null;
}
