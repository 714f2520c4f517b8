import { z } from 'zod';
import { call } from './call.ts';

const Send = z.object({
  session: z.string(),
  /** The last part of the call's path, such as `sendText`. */
  route: z.string(),
  chatId: z.string().nullable(),
  body: z.string().nullable(),
  reachedNetwork: z.boolean(),
  /** The body of the request; a native list has its text only here. */
  request: z.object({ message: z.object({ title: z.string() }).optional() }),
});
export type NetworkSend = z.infer<typeof Send>;

const SandboxRecord = z.object({ sends: z.array(Send) });
const SandboxView = z.object({ scansByItself: z.boolean() });

/**
 * Calls the sandbox's control API, which plays contacts, breaks things on demand and knows which sends really reached
 * the network.
 */
export class SandboxControl {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** Lets a contact write to the session's account. */
  async personWrites(session: string, from: string, text: string): Promise<void> {
    await this.#ask('POST', `/sessions/${session}/inbound`, { from, text });
  }

  /** Lets the owner of the session's account write on the phone. */
  async phoneWrites(session: string, to: string, text: string): Promise<void> {
    await this.#ask('POST', `/sessions/${session}/phone`, { to, text });
  }

  async arm(fault: object): Promise<void> {
    await this.#ask('POST', '/faults', fault);
  }

  async disarm(): Promise<void> {
    await this.#ask('DELETE', '/faults');
  }

  /** Calls a control route of the session, such as `scan`, `status` or `engine`. */
  async account(session: string, what: string, body: object = {}): Promise<void> {
    await this.#ask('POST', `/sessions/${session}/${what}`, body);
  }

  /** Whether its phones scan each code a moment after it is shown, or leave it to whoever scans it. */
  async scansByItself(): Promise<boolean> {
    return SandboxView.parse(await this.#ask('GET', '/view')).scansByItself;
  }

  async scanByItself(byItself: boolean): Promise<void> {
    await this.#ask('POST', '/scanning', { byItself });
  }

  /** Lists the session's calls that send, or all sessions' without a name, in their order. */
  async sends(session?: string): Promise<NetworkSend[]> {
    const of = session === undefined ? '' : `?session=${encodeURIComponent(session)}`;
    return SandboxRecord.parse(await this.#ask('GET', `/record${of}`)).sends;
  }

  /** Forgets the logged calls, which would otherwise be read with every record. */
  async forgetCalls(): Promise<void> {
    await this.#ask('DELETE', '/record');
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await call(this.#url, method, `/sandbox${path}`, { key: this.#key, body });
    if (answer.status >= 300) throw new Error(`The sandbox answered ${answer.status} to ${method} ${path}.`);
    return answer.body;
  }
}
