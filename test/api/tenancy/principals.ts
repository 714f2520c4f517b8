import { z } from 'zod';
import { routes } from '../../../api/routes.ts';
import type { Agency } from '../../support/client.ts';
import { MASTER_KEY, PSK } from '../../support/keys.ts';
import { nameOf, PASSED_ON_ROUTES } from './doors.ts';
import type { Entrance } from './doors.ts';

/** The owner of an attack's target: another agency, another tenant of the agency, another session of the tenant. */
export const VICTIMS = ['stranger', 'neighbour', 'sibling'] as const;
export type Victim = (typeof VICTIMS)[number];

export interface Principal {
  name: string;
  headers: Record<string, string>;
  /** The parameters that name its own tenant. */
  own: (route: Entrance) => [string, string][];
  /** The victims whose objects it must not reach. */
  victims: readonly Victim[];
  /** The victims whose objects it names in every place. */
  triesAll?: readonly Victim[];
  /** The only status that it may get; null where that depends on the door. */
  refused: 401 | 403 | null;
}

export interface Keys {
  ours: Agency;
  suspended: Agency;
  /** The cookies of a browser that is logged in by a link of the tenant, which a login made, and by one of its session. */
  links: { tenant: Record<string, string>; session: Record<string, string> };
  /** The same of one that is logged in by a key. */
  logins: { dashboard: Record<string, string>; session: Record<string, string> };
  /** A key of the session that a login made. */
  keyOfLogin: string;
  /** A login that its owner ended, and a key that it made, which is revoked with it. */
  ended: { login: Record<string, string>; key: string };
  /** Credentials of one purpose, which are no keys. */
  tickets: { consoleLink: string; connectLink: string; upload: string };
}

/** A route that takes no session refuses its name before it looks for anything. */
function namesSession(entrance: Entrance): boolean {
  const query = routes.find((route) => nameOf(route) === nameOf(entrance))?.operation.requestParams?.query;
  return query instanceof z.ZodObject ? Object.hasOwn(query.shape, 'session') : PASSED_ON_ROUTES.includes(entrance);
}

const nothing = (): [string, string][] => [];

/** A key that has the form of one, and the right check digits, and is nobody's. */
function wrong(key: string): string {
  return key.slice(0, -12) + key.slice(-12).split('').toReversed().join('');
}

/** Everybody who may try, from outside to inside. */
export function principalsOf({ ours, suspended, links, logins, keyOfLogin, ended, tickets }: Keys): Principal[] {
  const tenant = ({ auth }: Entrance): [string, string][] => [
    ['agencyId', ours.agencyId],
    ...(auth === 'agency' ? [] : [['tenantId', ours.tenantId] satisfies [string, string]]),
  ];
  const key = (value: string) => ({ 'x-api-key': value });
  return [
    { name: 'nobody', headers: {}, own: tenant, victims: VICTIMS, refused: 401 },
    { name: 'a wrong key', headers: key(wrong(ours.dashboardKey)), own: tenant, victims: VICTIMS, refused: 401 },
    { name: 'a revoked key', headers: key(ended.key), own: nothing, victims: VICTIMS, refused: 401 },
    {
      name: 'the pre-shared key',
      headers: { authorization: `PSK ${PSK}` },
      own: tenant,
      victims: VICTIMS,
      refused: 401,
    },
    {
      name: 'an unopened ticket of a console link',
      headers: { ...key(tickets.consoleLink), authorization: `Bearer ${tickets.consoleLink}` },
      own: tenant,
      victims: VICTIMS,
      refused: 401,
    },
    {
      name: 'a connect link',
      headers: { ...key(tickets.connectLink), cookie: `connect=${tickets.connectLink}` },
      own: tenant,
      victims: VICTIMS,
      refused: 401,
    },
    { name: 'the id of an upload', headers: key(tickets.upload), own: tenant, victims: VICTIMS, refused: 401 },
    {
      name: 'a suspended dashboard',
      headers: key(suspended.dashboardKey),
      own: nothing,
      victims: VICTIMS,
      refused: 403,
    },
    {
      name: 'a session of a suspended dashboard',
      headers: key(suspended.scopedKey),
      own: nothing,
      victims: ['stranger'],
      refused: 403,
    },
    {
      name: 'the dashboard, for its tenant',
      headers: key(ours.dashboardKey),
      own: tenant,
      victims: ['stranger', 'neighbour'],
      refused: null,
      triesAll: ['stranger', 'neighbour'],
    },
    {
      name: 'the dashboard',
      headers: key(ours.dashboardKey),
      own: nothing,
      victims: ['stranger'],
      refused: null,
      triesAll: ['stranger'],
    },
    {
      name: 'the dashboard, by its session',
      headers: key(ours.dashboardKey),
      own: (route) => (namesSession(route) ? [['session', ours.session.id]] : []),
      victims: ['stranger'],
      refused: null,
    },
    {
      name: 'a session',
      headers: key(ours.scopedKey),
      own: nothing,
      victims: VICTIMS,
      refused: null,
      triesAll: ['sibling'],
    },
    {
      name: 'a login by the key of the dashboard',
      headers: logins.dashboard,
      own: tenant,
      victims: ['stranger', 'neighbour'],
      refused: null,
    },
    {
      name: 'a login by the key of the session',
      headers: logins.session,
      own: nothing,
      victims: VICTIMS,
      refused: null,
    },
    { name: 'a login that was ended', headers: ended.login, own: nothing, victims: ['stranger'], refused: 401 },
    {
      name: 'a key of the session that a login made',
      headers: key(keyOfLogin),
      own: nothing,
      victims: ['sibling'],
      refused: null,
    },
    {
      name: 'a link of the tenant',
      headers: links.tenant,
      own: nothing,
      victims: ['stranger', 'neighbour'],
      refused: null,
      triesAll: ['neighbour'],
    },
    {
      name: 'a link of the session',
      headers: links.session,
      own: nothing,
      victims: VICTIMS,
      refused: null,
      triesAll: ['sibling'],
    },
    {
      name: 'the operator, for a tenant',
      headers: key(MASTER_KEY),
      own: tenant,
      victims: ['stranger', 'neighbour'],
      refused: null,
    },
  ];
}
