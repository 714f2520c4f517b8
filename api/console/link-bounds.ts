import { EngineError } from '../../domain/error.ts';
import type { LinkBounds } from '../../domain/caller.ts';
import type { Asking } from '../route/caller.ts';
import { ENDPOINT_ROUTES, READS_BY_POST, ROUTES_OF_ALL_LINKS, ROUTES_OF_PAGES } from './opened-routes.ts';

/**
 * Refuses what the link does not open: routes, changes, and every endpoint but the one of a link that shows no other.
 * The checks of every key say whose a thing is.
 */
export function requireWithinLink(bounds: LinkBounds, asking: Asking): void {
  const { method, route } = asking;
  const named = `${method === 'HEAD' ? 'GET' : method} ${route}`;
  const isRead = named.startsWith('GET ') || READS_BY_POST.has(named);
  if (ROUTES_OF_ALL_LINKS.has(named)) return;
  if (bounds.readOnly && !isRead) throw new EngineError('forbidden', 'This link is read-only.');
  if (bounds.endpointId !== null) {
    const place = ENDPOINT_ROUTES.get(named);
    if (place === undefined) throw notOpened();
    const given = place === 'path' ? asking.params['id'] : asking.query['endpointId'];
    if (given === bounds.endpointId) return;
    throw new EngineError('forbidden', `This link shows only the endpoint ${bounds.endpointId}: name it.`);
  }
  if (!bounds.pages.some((page) => ROUTES_OF_PAGES[page].has(named))) throw notOpened();
}

function notOpened(): EngineError {
  return new EngineError(
    'forbidden',
    'This link does not open this page or route: ask the sender for a link that does.',
  );
}
