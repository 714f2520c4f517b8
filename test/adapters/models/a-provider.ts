import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { z } from 'zod';

export interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export type Behaviour = (response: ServerResponse, asked: Asked) => void;

/** A provider of models on loopback that behaves as it is told, once for each request; the last way stays. */
export class AProvider {
  readonly url: string;
  readonly asked: Asked[] = [];
  behaviours: Behaviour[] = [];
  readonly close: () => Promise<void>;

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.close = close;
  }

  static async start(): Promise<AProvider> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.concat(chunks).toString() || '{}'));
        const asked = { path: request.url ?? '', headers: request.headers, body };
        provider.asked.push(asked);
        const behaviour = provider.behaviours.length > 1 ? provider.behaviours.shift() : provider.behaviours[0];
        behaviour?.(response, asked);
      });
    });
    // On a busy machine a client may take a kept connection in the moment in which a server closes it.
    server.keepAliveTimeout = 0;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const provider = new AProvider(`http://127.0.0.1:${port}/v1`, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return provider;
  }

  behave(...behaviours: Behaviour[]): void {
    this.asked.length = 0;
    this.behaviours = behaviours;
  }
}

export const status =
  (
    code: number,
    headers: Record<string, string> = {},
    body: object | string = { error: { message: 'No.' } },
  ): Behaviour =>
  (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** An answer in the form of chat completions. */
export const says = (content: string | null, more: { finish?: string; refusal?: string } = {}): Behaviour =>
  saysMessage({ content, ...(more.refusal === undefined ? {} : { refusal: more.refusal }) }, more.finish);

/** The same, with any fields beside the content. */
export const saysMessage = (message: object, finish = 'stop'): Behaviour =>
  status(
    200,
    {},
    {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
      usage: { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 },
    },
  );

/** An answer in the form of Anthropic's messages. */
export const saysAsAnthropic = (text: string, stopReason = 'end_turn'): Behaviour =>
  status(
    200,
    {},
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content: [{ type: 'text', text }],
      stop_reason: stopReason,
      stop_sequence: null,
      usage: { input_tokens: 1_000, output_tokens: 200 },
    },
  );
