import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { anAgency, TARGET } from '../agency.ts';
import { agentOn, arrivals, personWrites } from '../agent.ts';
import { Fleet } from '../fleet/fleet.ts';
import { MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { besideRow } from './beside.ts';

const ABUSER = 'abuser';
const TENANTS = 10;
const REHEARSALS_EACH = 5;
/** A model that is asked about this answers late. */
const MARK = 'rehearsed with patience';
const MODEL_MS = 20_000;
const TURNS = 20;
const TURN_EVERY_MS = 500;
const PATIENCE_MS = 30_000;
/** The numbers after it are no magic numbers of the sandbox. */
const FIRST_PERSON = 5_001_000;

/** Measures the agent's answers of an agency while another has as many rehearsals with a slow model as it can get. */
export async function rehearsals(machine: Machine): Promise<Result[]> {
  const model = await startModel(machine.sandboxUrl);
  const fleet = await Fleet.start(machine, { LLM_BASE_URL: `${model.url}/llm/v1` });
  try {
    const victim = await anAgency(fleet.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
    await agentOn(fleet.url);
    await anAgency(fleet.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true, agencyId: ABUSER });
    await makeTenants(fleet.url);
    let person = FIRST_PERSON;
    const answers = async (): Promise<number[]> => {
      const wroteAt = new Map<string, number>();
      for (let turn = 0; turn < TURNS; turn += 1) {
        const phone = `1555${person++}`;
        wroteAt.set(`${phone}@c.us`, performance.timeOrigin + performance.now());
        await personWrites(machine, victim.name, phone, 'What does it cost?');
        await pause(TURN_EVERY_MS);
      }
      return timesOf(machine, victim.name, wroteAt);
    };
    await answers();
    const alone = await answers();
    const running = await rehearse(fleet.url);
    const beside = await answers();
    const path = `the agent's answers of an agency beside the rehearsals of another, ${TENANTS} tenants with ${REHEARSALS_EACH} each`;
    return [besideRow(path, beside, alone, `; ${running} rehearsals ran; ${TURNS - beside.length} not answered`)];
  } finally {
    // The worker would wait for the slow model when it stops.
    await model.stop();
    await fleet.stop();
  }
}

async function timesOf(machine: Machine, session: string, wroteAt: ReadonlyMap<string, number>): Promise<number[]> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const came = (await arrivals(machine, session)).filter(({ chatId }) => wroteAt.has(chatId));
    if (came.length >= wroteAt.size || performance.now() > deadline) {
      return came.map(({ atMs, chatId }) => atMs - (wroteAt.get(chatId) ?? 0));
    }
    await pause(200);
  }
}

const tenantOf = (index: number): string => `shop-${index % TENANTS}`;

/** A tenant comes into being with its first setting. */
async function makeTenants(url: string): Promise<void> {
  for (let index = 0; index < TENANTS; index += 1) {
    const answer = await fetch(`${url}/api/v1/tenants/${tenantOf(index)}/settings`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-api-key': MASTER_KEY },
      body: JSON.stringify({ agencyId: ABUSER, timeZone: 'UTC' }),
    });
    if (!answer.ok) throw new Error(`A tenant was answered ${answer.status}: ${await answer.text()}`);
  }
}

/** Asks for all the rehearsals; returns how many may run. */
async function rehearse(url: string): Promise<number> {
  let running = 0;
  for (let index = 0; index < TENANTS * REHEARSALS_EACH; index += 1) {
    const answer = await fetch(`${url}/api/v1/ai/rehearse`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': MASTER_KEY, prefer: 'respond-async' },
      body: JSON.stringify({
        ...TARGET,
        agencyId: ABUSER,
        tenantId: tenantOf(index),
        messages: [{ from: 'contact', text: MARK }],
        persona: {},
        compareWith: {},
        repeat: 3,
      }),
    });
    const said = await answer.text();
    if (answer.ok) running += 1;
    else if (answer.status !== 429) throw new Error(`A rehearsal was answered ${answer.status}: ${said}`);
  }
  return running;
}

/** Stands before the sandbox's model and keeps what carries the mark waiting. */
async function startModel(sandboxUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const body = await text(request);
      if (body.includes(MARK)) await pause(MODEL_MS);
      const answer = await fetch(`${sandboxUrl}${request.url ?? ''}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' },
        body,
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    };
    pass().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
