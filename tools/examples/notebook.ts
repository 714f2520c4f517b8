import { routes } from '../../api/routes.ts';
import type { ExampleBook } from '../../api/reference/show-examples.ts';
import { call } from '../../test/support/client.ts';
import type { Answer } from '../../test/support/client.ts';

interface Asked {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** A file as the whole body. */
  file?: Buffer<ArrayBuffer>;
  key?: string;
  headers?: Record<string, string>;
}

/** Calls the engine by the names of its methods and writes down what was asked and answered. */
export class Notebook {
  readonly #engine: { url: string };
  readonly #book: ExampleBook = {};

  constructor(engine: { url: string }) {
    this.#engine = engine;
  }

  /** Asks, and notes the first answer of each status. */
  async ask(operationId: string, asked: Asked = {}): Promise<Answer> {
    const answer = await this.look(operationId, asked);
    this.#note(operationId, asked.body, answer);
    return answer;
  }

  /** Asks, and notes the answer as one more example of the method, which another way of asking gets. */
  async askAnotherWay(operationId: string, summary: string, asked: Asked): Promise<Answer> {
    const answer = await this.look(operationId, asked);
    const entry = (this.#book[operationId] ??= { replies: {} });
    entry.otherReplies = [...(entry.otherReplies ?? []), { summary, value: shortened(answer.body, 0) }];
    return answer;
  }

  noteReply(operationId: string, status: number, reply: unknown): void {
    this.#book[operationId] = { replies: { [String(status)]: shortened(reply, 0) } };
  }

  /** Asks without noting anything; a refusal ends the recording. */
  async look(operationId: string, { params = {}, query = {}, body, file, key, headers }: Asked = {}): Promise<Answer> {
    const route = routes.find(({ operation }) => operation.operationId === operationId);
    if (!route) throw new Error(`There is no method ${operationId}.`);
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const search = new URLSearchParams(query).toString();
    const answer = await call(this.#engine, route.method, search === '' ? path : `${path}?${search}`, {
      ...(key === undefined ? {} : { key }),
      ...(body === undefined ? {} : { body }),
      ...(file === undefined ? {} : { file }),
      ...(headers === undefined ? {} : { headers }),
    });
    if (answer.status >= 300) {
      throw new Error(`${operationId} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    return answer;
  }

  get book(): ExampleBook {
    return this.#book;
  }

  #note(operationId: string, body: Record<string, unknown> | undefined, { status, body: answered }: Answer): void {
    const entry = (this.#book[operationId] ??= { replies: {} });
    if (body !== undefined && entry.request === undefined) {
      const { tenantId: _tenant, ...asked } = body;
      entry.request = asked;
    }
    // The client puts an array under "items", and text of no JSON under "text".
    const { items } = answered;
    const isText = Object.keys(answered).every((name) => name === 'text');
    if (status === 204 || isText) return;
    entry.replies[String(status)] ??= shortened(Array.isArray(items) ? items : answered, 0);
  }
}

const MAX_CHARACTERS = 300;
/** A list is shown by its first rows; what is inside of them is shown whole. */
const MAX_ROWS = 2;

/** An example is read by people: the end of a long list or text tells them nothing more. */
function shortened(value: unknown, depth: number): unknown {
  if (typeof value === 'string')
    return value.length > MAX_CHARACTERS ? `${value.slice(0, MAX_CHARACTERS - 1)}…` : value;
  if (Array.isArray(value)) {
    return value.slice(0, depth <= 1 ? MAX_ROWS : value.length).map((item) => shortened(item, depth + 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner, depth + 1)]));
}
