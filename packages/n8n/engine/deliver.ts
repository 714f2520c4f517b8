import { isGenuine } from './signature.ts';
import type { Headers } from './signature.ts';
import { remember } from './seen.ts';

/** The webhook trigger's stored facts of its endpoint. The secret is shown only when the endpoint is made. */
export interface EndpointState {
  endpointId?: string;
  session?: string;
  url?: string;
  secret?: string;
  seen?: string[];
}

export type Delivery =
  | { outcome: 'refused' }
  /** n8n has had the event: whoever sent it again is told so, and nothing starts. */
  | { outcome: 'repeated' }
  | { outcome: 'new'; state: EndpointState; body: Record<string, unknown> };

/** Returns the reaction to a request at the trigger's address. */
export function delivery(
  state: EndpointState,
  { headers, body, nowSeconds }: { headers: Headers; body: Buffer; nowSeconds: number },
): Delivery {
  if (state.secret === undefined || !isGenuine(state.secret, headers, body, nowSeconds)) return { outcome: 'refused' };
  const id = String(headers['webhook-id']);
  if (state.seen?.includes(id)) return { outcome: 'repeated' };
  return { outcome: 'new', state: { ...state, seen: remember(state.seen ?? [], id) }, body: objectOf(body) };
}

function objectOf(body: Buffer): Record<string, unknown> {
  const parsed: unknown = JSON.parse(body.toString('utf8'));
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : { value: parsed };
}

export interface Listed {
  id: string;
  url: string;
  events: string[];
  status: string;
}

/**
 * Whether the endpoint that n8n remembers is there and does what is wanted. n8n forgets the secret when a workflow is
 * published again, so the address alone does not say that requests can be verified.
 */
export function isThere(
  listed: readonly Listed[],
  state: EndpointState,
  wanted: { url: string; events: readonly string[] },
): boolean {
  return listed.some(
    ({ id, url, events, status }) =>
      state.secret !== undefined &&
      id === state.endpointId &&
      url === wanted.url &&
      status !== 'disabled' &&
      [...events].sort().join() === [...wanted.events].sort().join(),
  );
}
