import { connect, constants, createSecureServer } from 'node:http2';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { AUTHORITY, VALID } from '../../support/certificates.ts';

const UNAUTHENTICATED = '16';

interface Demands {
  /** Refuses every call without it, as Temporal Cloud does. */
  apiKey?: string;
  /** Refuses clients without a certificate of the authority. */
  clientCertificate?: boolean;
}

/** A TLS front of a Temporal: it ends TLS, checks the caller, and forwards gRPC. */
export async function aTemporalFront(temporalAddress: string, { apiKey, clientCertificate = false }: Demands) {
  const inner = connect(`http://${temporalAddress}`);
  const calls: { authorized: boolean; path: string }[] = [];
  const server = createSecureServer({
    ...VALID,
    ca: AUTHORITY,
    requestCert: clientCertificate,
    rejectUnauthorized: clientCertificate,
    allowHTTP1: false,
  });
  const sockets = new Set<TLSSocket>();
  server.on('secureConnection', (socket: TLSSocket) => sockets.add(socket));
  server.on('sessionError', () => undefined);
  server.on('stream', (stream, headers) => {
    const authorized = apiKey === undefined || headers.authorization === `Bearer ${apiKey}`;
    calls.push({ authorized, path: String(headers[':path']) });
    if (authorized) return passOn(stream, headers);
    const refusal = { 'grpc-status': UNAUTHENTICATED, 'grpc-message': 'Request unauthorized.' };
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...refusal }, { endStream: true });
  });

  function passOn(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const call = inner.request({ ...headers, ':scheme': 'http' });
    let trailers = {};
    const end = (): void => {
      stream.destroy();
      call.destroy();
    };
    stream.on('error', end);
    call.on('error', end);
    stream.on('aborted', () => call.close(constants.NGHTTP2_CANCEL));
    call.on('trailers', (sent) => {
      trailers = ownOf(sent);
    });
    call.on('response', (answer) => {
      stream.respond(ownOf(answer), { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      call.pipe(stream);
    });
    stream.pipe(call);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    address: `127.0.0.1:${port}`,
    calls,
    close(): void {
      inner.destroy();
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Without what node notes beside the headers. */
function ownOf(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers));
}
