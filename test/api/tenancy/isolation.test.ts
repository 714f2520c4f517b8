import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { routes } from '../../../api/routes.ts';
import { SEARCH_DUE } from '../../../db/conversations/search/due.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { changeRows, rowsOf, untilRows } from '../../support/rows.ts';
import { Browser, OWN } from '../console/browser.ts';
import { isOfTenant, knockAt, PLACES } from './attacks.ts';
import type { Attack } from './attacks.ts';
import { doorsOf, nameOf, opensToTenants, PASSED_ON_ROUTES, UPLOADED_FILE } from './doors.ts';
import type { Objects } from './doors.ts';
import { principalsOf, VICTIMS } from './principals.ts';
import type { Principal, Victim } from './principals.ts';
import { RawClient } from './raw-client.ts';
import type { RawAnswer } from './raw-client.ts';
import { aNeighbour, aSibling, MISSING, objectsOf } from './tenancy-scene.ts';

const MIN_CASES = 8_000;
const AT_ONCE = 12;
/** The numbers of their contacts, which stand in all that only they have ever said. */
const NUMBERS: Record<Victim, string> = {
  stranger: '15550100711',
  neighbour: '15550100712',
  sibling: '15550100713',
};
/** The places that an attacker tries if another one of the same distance tries all. */
const FEW_PLACES = new Set(['as documented', 'in the headers', 'with its tenant in the query']);

/** The principals with access to the route, and with a documented foreign id: their response is "not found". */
const ARE_LET_IN = new Set(['the dashboard, for its tenant', 'a session']);

interface Case {
  says: string;
  place: string;
  door: string;
  principal: Principal;
  victim: Victim;
  /** The attack, and the same one at what nobody has. */
  found: Attack;
  missing: Attack;
  filters: boolean;
  /** The backend repeats what it was asked, so only its record of the accounts tells what was reached. */
  isPassedOn: boolean;
}

describe('what belongs to somebody else', () => {
  let engine: TestEngine;
  let client: RawClient;
  let principals: Principal[];
  const owners = new Map<Victim, { agency: Agency; objects: Objects }>();

  beforeAll(async () => {
    engine = await startEngine();
    client = new RawClient(engine.url);
    const ours = await anAgencyWithScopedKey(engine, { agencyId: 'ours', tenantId: 'one' });
    const suspended = await anAgencyWithScopedKey(engine, { agencyId: 'late', tenantId: 'one' });
    const victims = {
      stranger: await anAgencyWithScopedKey(engine, { agencyId: 'strangers', tenantId: 'one' }),
      neighbour: await aNeighbour(engine, ours, 'two'),
      sibling: await aSibling(engine, ours),
    };
    for (const name of ['stranger', 'neighbour', 'sibling'] as const) {
      owners.set(name, { agency: victims[name], objects: await objectsOf(engine, victims[name], NUMBERS[name]) });
    }
    // The worker's own work would look like an effect of the attacks.
    await engine.stopWorker();
    // Nor may a search of the attackers be the first, which indexes what anybody has said.
    const { dashboardKey } = victims.stranger;
    await call(engine, 'GET', '/api/v1/messages/search?q=boats&tenantId=one', { key: dashboardKey });
    await untilRows(engine.database, SEARCH_DUE, 0);
    await changeRows(engine.database, 'agency', { status: 'suspended' }, { id: 'late' });
    const logins = { dashboard: await aLoginOf(ours.dashboardKey), session: await aLoginOf(ours.scopedKey) };
    const [made, ended] = [await madeInLoginOf(ours), await madeInLoginOf(ours)];
    const links = { tenant: made.link, session: await aLinkOf(ours, { sessionId: ours.session.id }) };
    const end = `/api/v1/console/logins/${ended.loginId}`;
    expect((await call(engine, 'DELETE', end, { key: ours.dashboardKey })).status).toBe(204);
    const tickets = await ticketsOf(ours);
    principals = principalsOf({ ours, suspended, links, logins, keyOfLogin: made.key, ended, tickets });
  });
  afterAll(async () => {
    client.close();
    await engine.close();
  });

  /** Logs a browser in by a key, and returns the headers of its requests. */
  async function aLoginOf(key: string): Promise<Record<string, string>> {
    const browser = new Browser(engine);
    expect((await browser.login(key)).status).toBe(200);
    return { ...OWN, cookie: browser.cookie };
  }

  /** Logs in by the dashboard's key, and makes a key and an opened link in that login. */
  async function madeInLoginOf(agency: Agency) {
    const login = await aLoginOf(agency.dashboardKey);
    const body = { agencyId: agency.agencyId, tenantId: 'one', name: 'of a login' };
    const made = await call(engine, 'POST', '/api/v1/api-keys', { headers: login, body });
    expect(made.status).toBe(201);
    const link = await aLinkOf(agency, {}, login);
    return { login, link, loginId: String(made.body['loginId']), key: String(made.body['apiKey']) };
  }

  /** Makes the credentials that open one thing each, for the own session. */
  async function ticketsOf({ agencyId, dashboardKey }: Agency) {
    const target = { agencyId, tenantId: 'one' };
    const post = async (path: string, more: object) =>
      (await call(engine, 'POST', `/api/v1${path}`, { key: dashboardKey, body: { ...target, ...more } })).body;
    const link = await post('/console/links', { name: 'unopened' });
    // The account of the own session is connected already.
    const { id } = await post('/sessions', { name: 'unconnected' });
    const connect = await post(`/sessions/${String(id)}/connect-link`, {});
    const file = Buffer.from('a file of ours');
    const upload = await call(engine, 'POST', '/api/v1/files?tenantId=one', { key: dashboardKey, file });
    return {
      consoleLink: new URL(String(link['url'])).hash.replace('#ticket=', ''),
      connectLink: new URL(String(connect['url'])).pathname.split('/').at(-1) ?? '',
      upload: String(upload.body['fileId']),
    };
  }

  /** Logs a browser in by a link that may write, and returns the headers of its requests. */
  async function aLinkOf(
    { agencyId, dashboardKey }: Agency,
    more: object,
    by: Record<string, string> = { 'x-api-key': dashboardKey },
  ): Promise<Record<string, string>> {
    const body = { agencyId, tenantId: 'one', name: 'guest', readOnly: false, ...more };
    const { url } = (await call(engine, 'POST', '/api/v1/console/links', { headers: by, body })).body;
    const browser = new Browser(engine);
    const ticket = new URL(String(url)).hash.replace('#ticket=', '');
    expect((await browser.ask('POST', '/console/session', { ticket })).status).toBe(200);
    return { ...OWN, cookie: browser.cookie };
  }

  function ownerOf(victim: Victim): { agency: Agency; objects: Objects } {
    const owner = owners.get(victim);
    if (!owner) throw new Error('There is no such owner.');
    return owner;
  }

  /** Every principal at every door of every victim, naming the object in every place. */
  function cases(): Case[] {
    return principals.flatMap((principal) =>
      principal.victims.flatMap((victim) =>
        [...routes.filter(opensToTenants), ...PASSED_ON_ROUTES].flatMap((route) => {
          // An agency's objects belong to all its tenants, and a tenant's view of an agency is no single session's.
          if (route.auth === 'agency' && victim !== 'stranger' && principal.refused === null) return [];
          const { agency, objects } = ownerOf(victim);
          return Object.entries(doorsOf(route)).flatMap(([door, naming]) =>
            Object.entries(PLACES).flatMap(([place, write]) => {
              const isOwnTenant = victim !== 'stranger' || principal.name.startsWith('the operator');
              if (isOfTenant(place) && isOwnTenant && principal.refused === null) return [];
              if (!isTried(principal, victim, place)) return [];
              if (isShared(victim, door, naming)) return [];
              const attack = (of: Objects): Attack | null => {
                const written = write(knockAt(route, door, of, principal.own(route)), agency);
                return written && { ...written, headers: { ...written.headers, ...principal.headers } };
              };
              const [found, missing] = [attack(objects), attack(MISSING)];
              if (!found || !missing) return [];
              const says = `${principal.name}: ${nameOf(route)} names ${door} of the ${victim} ${place}`;
              return [
                {
                  says,
                  place,
                  door,
                  principal,
                  victim,
                  found,
                  missing,
                  filters: naming(objects).filters ?? false,
                  isPassedOn: PASSED_ON_ROUTES.includes(route),
                },
              ];
            }),
          );
        }),
      ),
    );
  }

  it('is to everybody as if it did not exist, wherever a request names it, and nothing happens to it', async () => {
    const all = cases();
    expect(all.length).toBeGreaterThanOrEqual(MIN_CASES);
    expect(all.filter(isAsDocumented).length).toBeGreaterThan(routes.filter(opensToTenants).length);
    const before = await recordOfVictims();
    const leaks: string[] = [];
    const queue = all.values();
    const asked = new Map<string, Promise<RawAnswer>>();
    const worker = async (): Promise<void> => {
      for (const each of queue) leaks.push(...(await leaksOf(client, each, asked)));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(leaks).toEqual([]);
    expect(await recordOfVictims()).toEqual(before);
    process.stdout.write(`isolation: ${all.length} cases of ${principals.length} principals\n`);
  });

  it("is not reached through the operator's routes, those of the pre-shared key and public ones", async () => {
    const before = await recordOfVictims();
    const { agency, objects } = ownerOf('stranger');
    const leaks: string[] = [];
    let count = 0;
    for (const principal of principals.filter(({ name }) => !name.startsWith('the operator'))) {
      for (const route of routes.filter((each) => !opensToTenants(each))) {
        if (route.auth === 'psk' && principal.name === 'the pre-shared key') continue;
        count += 1;
        const values = new Map(Object.entries({ ...objects, agencyId: agency.agencyId, id: objects.eventId }));
        const answer = await client.send({
          method: route.method,
          path: route.path.replaceAll(/:(\w+)/g, (_, name: string) => values.get(name) ?? objects.messageId),
          query: [['agencyId', agency.agencyId]],
          headers: principal.headers,
          body: ['GET', 'DELETE'].includes(route.method) ? null : { agencyId: agency.agencyId },
        });
        const says = `${principal.name}: ${nameOf(route)}: ${answer.status}`;
        if (route.auth !== 'public' && ![401, 403].includes(answer.status)) leaks.push(says);
        if (answer.text.includes(NUMBERS.stranger) || answer.status === 500) leaks.push(`${says} ${answer.text}`);
      }
    }
    process.stdout.write(`isolation: ${count} cases of closed and public routes\n`);
    expect(leaks).toEqual([]);
    expect(await recordOfVictims()).toEqual(before);
  });

  /** Returns the victims' rows, and the backend's requests for their accounts. */
  async function recordOfVictims(): Promise<unknown> {
    const accounts = VICTIMS.map((victim) => ownerOf(victim).objects.sessionName);
    const asked = await Promise.all(accounts.map((name) => engine.control('GET', `/record?session=${name}`)));
    return { rows: await rowsOfVictims(engine, ownerOf('sibling').objects.sessionId), asked };
  }
});

function isTried({ refused, triesAll = [] }: Principal, victim: Victim, place: string): boolean {
  if (refused !== null) return place === 'as documented' || place === 'with its tenant in the query';
  return triesAll.includes(victim) || FEW_PLACES.has(place);
}

/** Contacts and files are the tenant's: any of its sessions may write to them and send them, from its own account. */
function isShared(victim: Victim, door: string, naming: (of: Objects) => { body?: object }): boolean {
  if (victim === 'sibling' && door === UPLOADED_FILE) return true;
  const { body = {} } = naming(MISSING);
  const isSend = 'text' in body || 'url' in body || 'buttons' in body || 'message' in body;
  return victim === 'sibling' && isSend && ('contactId' in body || Reflect.get(body, 'to') === MISSING.contactId);
}

const TRIES = 3;

/**
 * Returns the leaks of an attack, a sentence each. Attackers change their own lists between two requests, so only a
 * repeated difference is a leak. Many cases name the same missing object. The test requests it once, and again if the
 * answers differ.
 */
async function leaksOf(client: RawClient, each: Case, asked: Map<string, Promise<RawAnswer>>): Promise<string[]> {
  const { method, path, query, headers, body } = each.missing;
  const name = JSON.stringify([method, path, query, headers, body]);
  let leaks: string[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const known = tries === 0 ? asked.get(name) : undefined;
    const asks = known ?? client.send(each.missing);
    asked.set(name, asks);
    const [answer, nothing] = [await client.send(each.found), await asks];
    leaks = differencesOf(each, answer, nothing);
    if (leaks.length === 0) break;
  }
  return leaks;
}

function isAsDocumented({ principal, place, isPassedOn }: Case): boolean {
  return ARE_LET_IN.has(principal.name) && place === 'as documented' && !isPassedOn;
}

function differencesOf(each: Case, answer: RawAnswer, nothing: RawAnswer): string[] {
  const { says, door, principal, victim, found, missing, filters, isPassedOn } = each;
  const leaks: string[] = [];
  const nothingElse = filters || isPassedOn;
  if (answer.status >= 500 && !isPassedOn) leaks.push(`${says}: ${answer.status}`);
  if (isPassedOn && answer.status !== nothing.status) leaks.push(`${says}: ${answer.status} and not ${nothing.status}`);
  if (!isPassedOn && nameless(answer, found) !== nameless(nothing, missing))
    leaks.push(`${says}: ${nameless(answer, found)} and not ${nameless(nothing, missing)}`);
  if (principal.refused !== null && ![principal.refused, 400].includes(answer.status))
    leaks.push(`${says}: ${answer.status} and not ${principal.refused}`);
  if (principal.refused === null && answer.status < 300 && !nothingElse && answer.text !== nothing.text)
    leaks.push(`${says}: ${answer.status}`);
  if (isAsDocumented(each)) {
    const refused = door === UPLOADED_FILE ? [422] : [404, 403];
    const isClosed = filters ? answer.status === 200 : refused.includes(answer.status);
    if (!isClosed) leaks.push(`${says}: ${answer.status}`);
  }
  if (answer.text.includes(NUMBERS[victim])) leaks.push(`${says}: ${NUMBERS[victim]}`);
  return leaks;
}

/** The answer without what differs from request to request. */
function nameless({ status, headers, text }: RawAnswer, _attack: Attack): string {
  return JSON.stringify([status, headers, text.replaceAll(/"requestId":"[^"]*"/g, '')]);
}

/**
 * A digest of all rows that belong to somebody, by table and owner. The last use of keys is written once a minute, and
 * open streams are refreshed.
 */
async function rowsOfVictims({ database }: TestEngine, sibling: string): Promise<unknown> {
  const tables = await rowsOf(
    database,
    sql<{ name: string; tenant: boolean; session: boolean }>`select table_name as name,
        bool_or(column_name = 'tenant_id') as tenant, bool_or(column_name = 'session_id') as session
      from information_schema.columns c where table_schema = 'public' and column_name in ('agency_id', 'tenant_id', 'session_id')
        and exists (select 1 from pg_class k where k.relname = c.table_name and k.relkind in ('r', 'p')
          and not k.relispartition)
      group by 1 having bool_or(column_name = 'agency_id') order by 1`,
  );
  const digests = tables
    .filter(({ name }) => name !== 'request_log' && name !== 'idempotency')
    .map(async ({ name, tenant, session }) => ({
      name,
      rows: await rowsOf(
        database,
        sql<object>`select agency_id, ${tenant ? sql`tenant_id` : sql`null`} as tenant, count(*)::int as n,
          md5(string_agg(r.text, '|' order by r.text)) as digest
        from ${sql.table(name)} t
          cross join lateral (select (to_jsonb(t) - array['last_used_at', 'seen_at'])::text as text) r
          where agency_id = 'strangers' ${tenant ? sql`or (agency_id = 'ours' and tenant_id = 'two')` : sql``}
            ${session ? sql`or session_id = ${sibling}` : sql``}
          group by 1, 2 order by 1, 2`,
      ),
    }));
  return Promise.all(digests);
}
