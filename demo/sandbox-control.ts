import { z } from 'zod';
import { call } from './call.ts';

const Send = z.object({
  session: z.string(),
  /** The last part of its path, as `sendText`. */
  route: z.string(),
  chatId: z.string().nullable(),
  body: z.string().nullable(),
  reachedNetwork: z.boolean(),
  /** What the sandbox was asked; a native list has its words in it only. */
  request: z.object({ message: z.object({ title: z.string() }).optional() }),
});
export type NetworkSend = z.infer<typeof Send>;

const SandboxRecord = z.object({ sends: z.array(Send) });

/** The sandbox's control API: it plays people, breaks what it is told to, and knows what really reached the network. */
export class SandboxControl {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** A person writes to the session's account. */
  async personWrites(session: string, from: string, text: string): Promise<void> {
    await this.#ask('POST', `/sessions/${session}/inbound`, { from, text });
  }

  /** The owner of the session's account writes on the phone. */
  async phoneWrites(session: string, to: string, text: string): Promise<void> {
    await this.#ask('POST', `/sessions/${session}/phone`, { to, text });
  }

  async arm(fault: object): Promise<void> {
    await this.#ask('POST', '/faults', fault);
  }

  async disarm(): Promise<void> {
    await this.#ask('DELETE', '/faults');
  }

  /** What the account's phone and its engine do: `scan`, `status`, `engine`. */
  async account(session: string, what: string, body: object = {}): Promise<void> {
    await this.#ask('POST', `/sessions/${session}/${what}`, body);
  }

  /** Every call to send that came from the session, or from any, in its order. */
  async sends(session?: string): Promise<NetworkSend[]> {
    const of = session === undefined ? '' : `?session=${encodeURIComponent(session)}`;
    return SandboxRecord.parse(await this.#ask('GET', `/record${of}`)).sends;
  }

  /** The calls that are not sends; they would be read with every record. */
  async forgetCalls(): Promise<void> {
    await this.#ask('DELETE', '/record');
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await call(this.#url, method, `/sandbox${path}`, { key: this.#key, body });
    if (answer.status >= 300) throw new Error(`The sandbox answered ${answer.status} to ${method} ${path}.`);
    return answer.body;
  }
}
