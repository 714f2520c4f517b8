import { computed, signal } from '@preact/signals';
import { Engine } from '../../typescript/src/index.ts';
import { noteLeft } from '../live/spare.ts';
import { toFailure } from '../parts/failure.ts';
import { DRAFT_PREFIX } from '../parts/kept-names.ts';
import { removeAllKept } from '../parts/kept.ts';
import { forgetKnown } from '../parts/known.ts';
import { arriveBy } from './arrival.ts';
import { base, query } from './location.ts';
import { ownName } from './own-name.ts';
import { refusalText } from './refusal.ts';
import { say } from './say.tsx';
import { identityOf, placeOf } from './who.ts';
import type { Who } from './who.ts';

/** The address of the engine: before the console's own name, even if a proxy puts a prefix before both. */
export const engineAddress = `${window.location.origin}${base.slice(0, base.lastIndexOf('/'))}`;

/** The engine takes no longer name. */
const MAX_NAME = 128;
const MAX_KEPT_ALIVE = 2_048;

/** Null until somebody has logged in. It stays when the login ends, so that the page stays as it is below the dialog. */
export const who = signal<Who | null>(null);
/** True while nobody is logged in, or no longer. */
export const needsLogin = signal(false);
/** Grows with each login: what could not be loaded is loaded then. */
const logins = signal(0);

/**
 * The link for which another page may frame this one. The engine then takes its login alone: else the frame would show
 * whichever login the browser gets later.
 */
const linkOfFrame =
  window.self === window.top
    ? null
    : (document.querySelector<HTMLMetaElement>('meta[name="engine-link"]')?.content ?? null);

/** The name under which this person acts; empty until they give one. A person who came by a link has its name. */
export const actor = (): string => (who.value?.link?.name ?? ownName.value).trim().slice(0, MAX_NAME);

const bound = (init: RequestInit = {}): RequestInit => {
  const headers = new Headers(init.headers);
  if (linkOfFrame !== null) headers.set('X-Engine-Link', linkOfFrame);
  // A header holds no other letters than those of English.
  if (actor() !== '') headers.set('X-Engine-Actor', encodeURIComponent(actor()));
  // A page that is being closed still says that its person has left. Browsers keep few bytes alive.
  const isLast = document.hidden && typeof init.body === 'string' && init.body.length <= MAX_KEPT_ALIVE;
  return { ...init, headers, ...(isLast && { keepalive: true }) };
};

/** False after a request that did not reach the engine, until one does. */
export const isReached = signal(true);
/** A proxy answers with these in the place of an engine that is away. */
const AWAY = [502, 504];

const reach = async (input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> => {
  try {
    const answer = await fetch(input, init);
    isReached.value = !AWAY.includes(answer.status);
    return answer;
  } catch (error) {
    // A page that was left ends its own requests.
    if (init.signal?.aborted !== true) isReached.value = false;
    throw error;
  }
};

/** Any call may be the one that finds that the key was revoked; what was asked by the login before says nothing of this. */
const noticing: typeof fetch = async (input, init) => {
  const by = logins.peek();
  const answer = await reach(input, bound(init));
  if (answer.status === 401 && by === logins.peek()) needsLogin.value = true;
  noteLeft(answer.headers.get('ratelimit'));
  return answer;
};

const client = new Engine({ cookie: true, url: engineAddress, fetch: noticing });

export const place = computed(() => placeOf(who.value, query.value));
const placeKey = computed(() => JSON.stringify(place.value));

/** The client for the place that is chosen. Read it inside `load`, so that a panel loads again after a change. */
export const engine = computed(() => {
  void logins.value;
  return client.for(JSON.parse(placeKey.value));
});

const agencyKey = computed(() => JSON.stringify({ agencyId: place.value.agencyId }));

/** The client for the agency that is chosen, whichever of its tenants is: for the choice among them. */
export const engineOfAgency = computed(() => {
  void logins.value;
  return client.for(JSON.parse(agencyKey.value));
});

/** The client without a place, for lists of agencies. */
export const engineOfAll = client;

/** False while the master key has not said yet of which agency it wants to know. */
export const hasPlace = computed(
  () => who.value !== null && (who.value.kind !== 'master' || place.value.agencyId !== undefined),
);

/** Whether whoever is logged in may do what takes the scope; a link that may only look may do nothing. */
export const mayDo = (scope: 'send' | 'sessions' | 'ai:admin' | 'webhooks' | 'keys'): boolean =>
  who.value !== null && !who.value.readOnly && (who.value.scopes === 'all' || who.value.scopes.includes(scope));

/** Endpoints belong to the agency, so the key of a session changes none, whatever its scopes. */
export const mayChangeEndpoints = computed(() => who.value?.kind !== 'session' && mayDo('webhooks'));

/** True for whoever came by a link, which opens less than a key of the same tenant does. */
export const isGuest = computed(() => who.value?.kind === 'link');

/** False for a link to one endpoint, which opens no stream of events. */
export const hasStream = computed(() => who.value?.endpointId == null);

/** False for a link that does not open the events of its tenant. */
export const seesEvents = computed(
  () => !isGuest.value || (who.value?.endpointId === null && who.value.pages?.includes('events') === true),
);

const sessionAddress = `${base}/session`;
/** Forms of other origins cannot send it, which the engine asks for. */
const GUARD = { 'X-Requested-With': 'engine-console' };

const entered = (answer: Who): void => {
  if (who.value !== null && identityOf(who.value) !== identityOf(answer)) forgetKnown();
  who.value = answer;
  needsLogin.value = false;
  logins.value += 1;
};

/** The login's refusal, in words for people. */
class LoginRefused extends Error {}

const refusal = async (answer: Response): Promise<string> =>
  refusalText(answer.status, await answer.json().catch(() => null));

const post = async (body: object): Promise<Who> => {
  const answer = await fetch(sessionAddress, {
    method: 'POST',
    headers: { ...GUARD, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new LoginRefused(await refusal(answer));
  return answer.json();
};

export const logIn = async (key: string): Promise<void> => entered(await post({ apiKey: key }));
/** Takes the ticket out of the address, where nobody shall find it who looks over a shoulder or into the history. */
const takeTicket = (): string | null => {
  const ticket = new URLSearchParams(window.location.hash.slice(1)).get('ticket');
  if (ticket !== null) window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return ticket;
};

const read = async (): Promise<Who | null> => {
  const answer = await fetch(sessionAddress, bound());
  if (answer.ok) return answer.json();
  if (answer.status !== 401) throw new LoginRefused(await refusal(answer));
  return null;
};

/** Logs in by the ticket of a link, or by the cookie of an earlier visit. */
export const arrive = async (asks: (login: Who) => Promise<boolean>): Promise<void> => {
  const ticket = takeTicket();
  try {
    const login = await arriveBy({
      ticket,
      read,
      open: (given) => post({ ticket: given }),
      asks,
      refused: (error) => say(toFailure(error).sentence),
    });
    if (login === null) needsLogin.value = true;
    else entered(login);
  } catch (error) {
    needsLogin.value = true;
    throw error;
  }
};

export const logOut = async (): Promise<void> => {
  await fetch(sessionAddress, { method: 'DELETE', headers: GUARD });
  removeAllKept(DRAFT_PREFIX);
  window.location.assign(base);
};
