import { createServer } from 'node:http';
import { z } from 'zod';

const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
});
export type ReceivedSpan = z.infer<typeof Span>;

const Export = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
});

/** A receiver of OpenTelemetry's protocol on loopback, which keeps what it is sent. */
export async function anOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const raw: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      raw.push(text);
      for (const { scopeSpans } of Export.parse(JSON.parse(text)).resourceSpans) {
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    /** All that was sent, to look for what must not stand in it. */
    raw,
    close: () => server.close(),
  };
}
