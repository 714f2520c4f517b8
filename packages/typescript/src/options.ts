/** How an engine is reached, and as whom. */
export interface EngineOptions {
  /** Where the engine is, such as `https://engine.example.com`; only a page of the engine itself may leave it out. */
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
  /** How often a request is repeated that may succeed later; 3 when left out. */
  retries?: number | undefined;
  /** How long one attempt may take; 30,000 when left out, 60,000 for a file that is uploaded. The seconds of `wait` are added. */
  timeoutMs?: number | undefined;
  /** How long a call may take with all of its attempts and pauses; 120,000 when left out. The seconds of `wait` are added. */
  deadlineMs?: number | undefined;
  /** More headers of every request. */
  headers?: Record<string, string> | undefined;
  /** Another `fetch` than that of the platform. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** What one call may have otherwise. */
export interface CallOptions extends Pick<EngineOptions, 'retries' | 'timeoutMs' | 'deadlineMs' | 'headers'> {
  /** Makes the call safe to repeat by hand, also from another process. Without one, the client makes one for each call that takes it. */
  idempotencyKey?: string | undefined;
  /** Ends the call. It is thrown with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Hears what else an answer says than its body. */
  onAnswer?: ((answer: AnswerFacts) => void) | undefined;
}

/** Of calls that can hold their answer until it is known what became of the messages. */
export interface WaitOptions extends CallOptions {
  /** How many seconds, 30 at most. */
  wait?: number | undefined;
}

export interface AnswerFacts {
  status: number;
  headers: Headers;
  requestId: string | null;
}
