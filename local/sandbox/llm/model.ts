import type { Timers } from '../timers.ts';
import { completion } from './completion.ts';
import { defaultReply } from './default-reply.ts';
import { wantsJson } from './request.ts';
import type { CompletionRequest } from './request.ts';
import type { ScriptedReply } from './script.ts';

export interface ModelCall {
  at: number;
  /** True when the call had an Authorization header; the header's value is not kept. */
  authorized: boolean;
  request: CompletionRequest;
}

export interface ModelAnswer {
  status: number;
  body: object | string;
  retryAfter?: number | undefined;
  /** The connection breaks after half of the body. */
  cut?: boolean;
}

const KEPT_CALLS = 10_000;

/** The simulated model, which gives the scripted replies in order and a default one after them. */
export class Model {
  calls: ModelCall[] = [];
  script: ScriptedReply[] = [];
  readonly #timers: Timers;
  #held = Promise.withResolvers<void>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  forget(): void {
    this.calls = [];
    this.script = [];
    this.#held.resolve();
    this.#held = Promise.withResolvers();
  }

  async answer(request: CompletionRequest, authorized: boolean): Promise<ModelAnswer> {
    if (this.calls.length >= KEPT_CALLS) this.calls.shift();
    this.calls.push({ at: Date.now(), authorized, request });
    const scripted = this.#next(request);
    if (!scripted) return ok(completion(request, defaultReply(request)));
    if ('text' in scripted) return ok(completion(request, scripted.text));
    if ('json' in scripted) return ok(completion(request, JSON.stringify(scripted.json)));
    if ('toolCalls' in scripted) return ok(completion(request, null, scripted.toolCalls));
    if ('refusal' in scripted) return ok(completion(request, null, [], scripted.refusal));
    if ('cut' in scripted) return { ...ok(completion(request, defaultReply(request))), cut: true };
    if ('status' in scripted) return failed(scripted.status, scripted.retryAfter);
    if ('garbage' in scripted) return { status: 200, body: '{"id":"chatcmpl-sandbox-broken","choices":[{"mess' };
    await ('hold' in scripted ? this.#held.promise : this.#timers.sleep(scripted.hangMs));
    return ok(completion(request, defaultReply(request)));
  }

  #next(request: CompletionRequest): ScriptedReply | undefined {
    const kind = wantsJson(request) ? 'json' : 'text';
    const index = this.script.findIndex(({ when }) => (when ?? kind) === kind);
    return index === -1 ? undefined : this.script.splice(index, 1)[0];
  }
}

const ok = (body: object): ModelAnswer => ({ status: 200, body });

export function failed(status: number, retryAfter?: number, message = `Scripted failure ${status}`): ModelAnswer {
  const type = status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'server_error';
  return { status, retryAfter, body: { error: { message, type, param: null, code: null } } };
}
