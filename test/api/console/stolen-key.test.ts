import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { anAgency, call, register } from '../../support/client.ts';
import type { Answer } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { ROOT } from '../../toolchain/source-files.ts';
import { Browser } from './browser.ts';
import { aDashboardKey, everythingOf, Key } from './made-credentials.ts';

const api = await apiOfThisFile('stolen-key');

const PAGE = readFileSync(join(ROOT, 'docs/operate/runbooks/a-key-was-stolen.md'), 'utf8');

interface Step {
  left: string;
  find: string;
  end: string;
}

/** The rows of the page's table: something that a thief may have left, and the calls that find and end it. */
const steps: Step[] = PAGE.split('\n').flatMap((line) => {
  const [, left = '', find = '', end = ''] = line.split('|').map((cell) => cell.trim());
  const calls = [find, end].map((cell) => /`([A-Z]+ \/api\/v1\/[^`]+)`/.exec(cell)?.[1] ?? '');
  return calls.some((each) => each === '') ? [] : [{ left, find: calls[0] ?? '', end: calls[1] ?? '' }];
});

interface Left {
  /** The values of the names in the path of the step that ends it. */
  ids: Record<string, string>;
  /** In the answer of the step that finds it. */
  mark: string;
  /** The body of the step that ends it. */
  body?: object;
  /** The entry in the audit; null where the audit does not name the object. */
  audited: { object: string; objectId: string; tenantId?: string | null } | null;
  /** Tells by the answer of the step, or by the list, that nothing is left, where the list still has the object. */
  isOver?: (ended: Answer, listed: string) => boolean;
}

type Ask = (method: string, path: string, body?: object) => Promise<Answer>;
const asking =
  (key: string): Ask =>
  async (method, path, body) => {
    const answer = await call(api, method, `/api/v1${path}`, { key, ...(body === undefined ? {} : { body }) });
    expect([method, path, answer.status < 300, answer.body['detail']]).toEqual([method, path, true, undefined]);
    return answer;
  };
const AUTOMATION = 'ask-satisfaction';
const PERSONA = { agentName: 'Ada', systemPrompt: 'pay elsewhere' };
const idOf = ({ body }: Answer, name = 'id') => z.string().parse(body[name]);
const endpoint = (url: string) => ({ url: `http://127.0.0.1:9/${url}` });

/** A thief leaves each of these, which are no credentials: they work on when the key has ended. */
const LEAVES: Record<string, (ask: Ask, of: { sessionId: string }) => Promise<Left>> = {
  'an endpoint': async (ask) => {
    const id = idOf(await ask('POST', '/webhooks/endpoints', endpoint('of-thief')));
    return { ids: { id }, mark: id, audited: { object: 'endpoint', objectId: id } };
  },
  'a secret of an endpoint': async (ask) => {
    const listed = await ask('GET', '/webhooks/endpoints');
    const [own] = z.object({ endpoints: z.array(z.object({ id: z.string() })) }).parse(listed.body).endpoints;
    const id = own?.id ?? '';
    await ask('POST', `/webhooks/endpoints/${id}/rotate-secret`, { secret: 'y'.repeat(40), overlapHours: 0 });
    const isOver = ({ body }: Answer) => JSON.stringify(body['oldSecretsUntil']) === '[]';
    return { ids: { id }, mark: id, audited: { object: 'endpoint', objectId: id }, body: { overlapHours: 0 }, isOver };
  },
  'a webhook of a tenant': async (ask) => {
    const { url: webhookUrl } = endpoint('settings-of-thief');
    await ask('PUT', '/tenants/t1/settings', { webhookUrl });
    return { ids: { tenantId: 't1' }, mark: webhookUrl, audited: null, body: { webhookUrl: null } };
  },
  'a webhook of a session': async (ask, { sessionId }) => {
    const endpointId = idOf(await ask('PUT', `/sessions/${sessionId}/webhooks`, endpoint('session-of-thief')));
    return {
      ids: { id: sessionId, endpointId },
      mark: endpointId,
      audited: { object: 'endpoint', objectId: endpointId },
    };
  },
  'a mirror': async (ask) => {
    await ask('PUT', '/webhooks/mirror', { tenantIds: ['t1'] });
    return { ids: {}, mark: '["t1"]', audited: { object: 'mirror', objectId: 'thief' }, body: { tenantIds: [] } };
  },
  'an automation of a tenant': async (ask) => {
    await ask('PUT', `/automations/${AUTOMATION}`, { enabled: true });
    const audited = { object: 'automation', objectId: AUTOMATION, tenantId: 't1' };
    return { ids: { automation: AUTOMATION }, mark: '"enabled":true', audited, body: { enabled: false } };
  },
  'an automation of all tenants': async (ask) => {
    await ask('PUT', `/automation-defaults/${AUTOMATION}`, { enabled: true });
    const audited = { object: 'automation', objectId: AUTOMATION, tenantId: null };
    return { ids: { automation: AUTOMATION }, mark: '"enabled":true', audited, body: { enabled: false } };
  },
  'the persona': async (ask) => {
    await ask('PUT', '/ai-sales-agent/persona', PERSONA);
    const body = { ...PERSONA, systemPrompt: 'You sell boats.' };
    return { ids: {}, mark: 'pay elsewhere', audited: { object: 'persona', objectId: 't1' }, body };
  },
  'the state of the agent': async (ask) => {
    await ask('PUT', '/ai-sales-agent/state', { enabled: true });
    const audited = { object: 'agent_state', objectId: 't1' };
    return { ids: {}, mark: '"enabled":true', audited, body: { enabled: false } };
  },
  'a fact': async (ask) => {
    const fact = { fact: 'Our bank account is elsewhere.', category: 'context', source: 'manual' };
    const id = idOf(await ask('POST', '/memories', fact));
    return { ids: { id }, mark: id, audited: { object: 'memory', objectId: id } };
  },
  'a canned answer': async (ask) => {
    const { body } = await ask('PUT', '/canned-answers/bank', { text: 'Our bank account is elsewhere.' });
    const shortcut = String(body['shortcut']);
    return { ids: { shortcut }, mark: shortcut, audited: { object: 'canned_answer', objectId: shortcut } };
  },
  'an opt-out': async (ask) => {
    const contactId = idOf(await ask('PUT', '/opt-outs/15550170301', {}), 'contactId');
    const isOver = (_: Answer, list: string) => list.includes('"action":"deleted"');
    return { ids: { ref: contactId }, mark: contactId, audited: { object: 'opt_out', objectId: contactId }, isOver };
  },
  'a scheduled message': async (ask) => {
    const sendAt = new Date(api.database.clock.now().getTime() + 86_400_000).toISOString();
    const sent = await ask('POST', '/messages/send', { to: '15550170302', text: 'pay elsewhere', sendAt });
    const messageId = idOf(sent, 'messageId');
    return { ids: { messageId }, mark: messageId, audited: null, body: {} };
  },
  'an export': async (ask) => {
    const id = idOf(await ask('POST', '/tenants/t1/exports', {}));
    const isOver = (_: Answer, list: string) => list.includes('"goneReason":"deleted"');
    return { ids: { tenantId: 't1', id }, mark: id, audited: { object: 'export', objectId: id }, isOver };
  },
  'a session': async (ask) => {
    const id = idOf(await ask('POST', '/sessions', { name: 'of-thief' }));
    return { ids: { id }, mark: id, audited: { object: 'session', objectId: id } };
  },
};

const Entry = z.object({
  object: z.string(),
  objectId: z.string(),
  tenantId: z.string().nullable(),
  action: z.string(),
});
const Entries = z.object({ entries: z.array(Entry), hasMore: z.literal(false) });

/** All that the audit names of a key, and of the keys and links that it made. */
async function auditedOf(ask: Ask, keyId: string): Promise<z.output<typeof Entry>[]> {
  const { entries } = Entries.parse((await ask('GET', `/audit?keyId=${keyId}&limit=100`)).body);
  const made = entries.filter(({ object, action }) => ['key', 'console_link'].includes(object) && action === 'created');
  const theirs = await Promise.all(made.map(({ objectId }) => auditedOf(ask, objectId)));
  return [...entries, ...theirs.flat()];
}

describe('the page "A key was stolen"', () => {
  it('ends what a stolen login has made, also when its thief has logged out, and leaves the key', async () => {
    const of = await anAgency(api, { agencyId: 'cookie' });
    const thief = new Browser(api);
    expect((await thief.login(of.dashboardKey)).status).toBe(200);
    const made = await everythingOf(api, of, thief);
    expect((await thief.ask('DELETE', '/console/session')).status).toBe(204);

    for (const step of ['GET /api/v1/console/logins', 'GET /api/v1/api-keys', 'DELETE /api/v1/console/logins/:id']) {
      expect(PAGE).toContain(`\`${step}\``);
    }
    const owner = asking(of.dashboardKey);
    const own = of.dashboardKey.split('_')[2];
    expect((await owner('GET', '/console/logins')).body['logins']).not.toContainEqual(
      expect.objectContaining({ keyId: own, linkId: null }),
    );
    const Keys = z.object({ apiKeys: z.array(z.object({ loginId: z.string().nullable() })) });
    const { apiKeys } = Keys.parse((await owner('GET', '/api-keys')).body);
    const logins = new Set(apiKeys.flatMap(({ loginId }) => loginId ?? []));
    expect(logins.size).toBe(1);
    for (const id of logins) await owner('DELETE', `/console/logins/${id}`);
    for (const { kind, works } of made) {
      await eventually(async () => !(await works()), { what: `the ${kind} to end` });
    }
    await owner('GET', '/inbox/chats?tenantId=t1');
  });

  it('names all that a thief may leave', () => {
    expect(steps.map(({ left }) => left).toSorted()).toEqual(Object.keys(LEAVES).toSorted());
  });

  it('ends what the key has made, finds the rest by the audit and by its lists, and ends each', async () => {
    const of = await anAgency(api, { agencyId: 'thief' });
    const sessionId = of.session.id;
    const stolen = asking(of.dashboardKey);
    const made = await everythingOf(api, of, of.dashboardKey);
    const byMade = asking((await aDashboardKey(api, of)).apiKey);
    const left = new Map<string, Left>();
    for (const [at, [name, leave]] of Object.entries(LEAVES).entries()) {
      left.set(name, await leave(at % 2 === 0 ? stolen : byMade, { sessionId }));
    }

    expect(PAGE).toMatch(/`rotateKey: true`.*`overlapSeconds: 0`/s);
    const again = await register(api, { agencyId: of.agencyId, rotateKey: true, overlapSeconds: 0 });
    const owner = asking(Key.pick({ apiKey: true }).parse(again.body).apiKey);
    for (const { kind, works } of made) {
      await eventually(async () => !(await works()), { what: `the ${kind} to end` });
    }

    expect(PAGE).toContain('`GET /api/v1/audit?keyId=…`');
    const audited = await auditedOf(owner, of.dashboardKey.split('_')[2] ?? '');
    for (const [name, { audited: entry }] of left) {
      if (entry === null) continue;
      const wanted = expect.arrayContaining([expect.objectContaining(entry)]);
      expect({ name, audited }).toEqual({ name, audited: wanted });
    }

    for (const { left: name, find, end } of steps) {
      const thing = left.get(name);
      if (thing === undefined) throw new Error(`The test leaves nothing for the line "${name}".`);
      const { ids, mark, body, isOver } = thing;
      const ask = async (step: string, more?: object) => {
        const [method = '', path = ''] = step.replace('/api/v1', '').split(' ');
        const named = path.replaceAll(/:(\w+)/g, (_, param: string) => ids[param] ?? '');
        return owner(method, named, more);
      };
      // Some reads are a POST, which takes a body.
      const given = find.startsWith('POST') ? {} : undefined;
      const list = async () => JSON.stringify((await ask(find, given)).body);
      expect([name, (await list()).includes(mark)]).toEqual([name, true]);
      const ended = await ask(end, body);
      const after = await list();
      expect([name, isOver?.(ended, after) ?? !after.includes(mark)]).toEqual([name, true]);
    }
  });
});
