import { BlockList, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import type { IncomingMessage, RequestListener } from 'node:http';

/** Tells whether a connection comes from the network of the backend, or to an address of the engine's own in it. */
export type IsOfBackend = (socket: Pick<Socket, 'remoteAddress' | 'localAddress'>) => boolean;

export const BACKEND_EVENTS_PATH = '/v1/internal/backend/events';

/** The addresses of the connection count and no header, because a client writes its headers itself. */
export function isOfBackend(ranges: readonly string[]): IsOfBackend {
  const network = new BlockList();
  for (const range of ranges) {
    const [address = '', length] = range.split('/');
    network.addSubnet(address, Number(length), familyOf(address));
  }
  const holds = (address: string | undefined): boolean =>
    address !== undefined && network.check(address, familyOf(address));
  return ({ remoteAddress, localAddress }) => holds(remoteAddress) || holds(localAddress);
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * Answers the backend its events and nothing else. The backend runs other people's code, so it must not reach the API,
 * whatever secret it sends.
 */
export function backendDoor(isBackend: IsOfBackend, handle: RequestListener): RequestListener {
  return (request, response) => {
    if (!isBackend(request.socket) || reportsEvents(request)) {
      handle(request, response);
      return;
    }
    response.writeHead(404, { connection: 'close' }).end();
  };
}

function reportsEvents({ method, url = '' }: IncomingMessage): boolean {
  return method === 'POST' && url === BACKEND_EVENTS_PATH;
}
