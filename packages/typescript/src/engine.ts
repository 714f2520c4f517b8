import { Caller } from './caller.ts';
import { Events } from './events.ts';
import { Resources } from './generated/resources.ts';
import { MessagesAndWaiting } from './messages.ts';
import { FilesAndAttachments } from './uploads.ts';
import type { EngineOptions, WaitOptions } from './options.ts';

/** The parts of a request that no method makes. */
export interface RawRequest extends WaitOptions {
  query?: object | undefined;
  body?: object | undefined;
}

/** A client of the engine. Its resources are the groups of the API reference, and their methods its operations. */
export class Engine extends Resources {
  override readonly messages: MessagesAndWaiting;
  override readonly files: FilesAndAttachments;
  /** Events as they happen. */
  readonly events: Events;
  readonly #caller: Caller;

  constructor(options: EngineOptions) {
    const caller = new Caller(options);
    super(caller);
    this.#caller = caller;
    this.messages = new MessagesAndWaiting(caller);
    this.files = new FilesAndAttachments(caller);
    this.events = new Events(caller);
  }

  /** The same client for an agency or a tenant: both go into every call that takes them and names none. */
  for(target: Pick<EngineOptions, 'agencyId' | 'tenantId'>): Engine {
    return new Engine({ ...this.#caller.options, ...target });
  }

  /** Makes a request that has no method of its own, as it stands. It is repeated only where that is certainly safe. */
  request<T>(method: string, path: string, { query, body, ...options }: RawRequest = {}): Promise<T> {
    const once = !['GET', 'PUT', 'DELETE'].includes(method) && options.idempotencyKey === undefined;
    return this.#caller.call<T>({ method, path, ...(query && { query }), ...(body && { body }), once }, options);
  }
}
