/** One call that reached the sandbox. Tests read the log to see which calls were made and in which order. */
export interface Call {
  at: number;
  method: string;
  path: string;
  query: Record<string, unknown>;
  session: string | null;
  chatId: string | null;
  /** The id of the key that the backend has made; null for the one that it was started with. */
  keyId: string | null;
  /** The answered status; null = the connection was dropped or is still open. */
  status: number | null;
}

/** Bounds the log of a sandbox that runs for weeks; no test makes as many calls. */
const KEPT = 50_000;

export class CallLog {
  #calls: Call[] = [];

  add(call: Call): Call {
    if (this.#calls.length >= KEPT) this.#calls = this.#calls.slice(KEPT / 2);
    this.#calls.push(call);
    return call;
  }

  of(session: string | undefined): Call[] {
    return this.#calls.filter((call) => session === undefined || call.session === session);
  }

  clear(): void {
    this.#calls = [];
  }
}
