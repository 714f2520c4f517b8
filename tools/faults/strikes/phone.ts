import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { call } from '../../demo/call.ts';
import { until } from '../../demo/until.ts';
import { accept } from './accept.ts';
import type { Account } from '../accounts.ts';
import { asHalves } from './as-halves.ts';
import type { Ground } from '../ground.ts';
import type { Fault, Scene } from '../scene.ts';
import { newRequest, TEXT } from '../sends/ways.ts';

const PEOPLE = 4;
/** Time for the owner to write before the agent answers. */
const QUIET_MS = 3_000;
/** Longer than the agent needs for an answer. */
const API_DEAD_MS = 15_000;
/**
 * The owner's message may be the echo of a send that hangs for a minute, so the engine may learn its origin only after
 * that.
 */
const KNOWN_WITHIN_MS = 120_000;

interface Talk {
  phone: string;
  ours: string;
  owners: string;
}

/** The owner of the account answers on the phone, and the only API is killed as soon as it has stored that event. */
export const API_KILLED: Fault = {
  name: 'api-killed',
  title: 'the only API is killed when the owner has answered on the phone',
  short: 'never',
  async strike(scene) {
    const { ground } = scene;
    const [account] = ground.accounts;
    if (!account) throw new Error('No account is connected.');
    await letAgentAnswer(ground, account, true);
    await hearAgent(scene, account);
    await ground.killEngine();
    await asHalves(ground, async ({ halves, database }) => {
      const talks = await talk(scene, account, database);
      ground.deaths += 1;
      await halves.end('api', 'SIGKILL');
      await pause(API_DEAD_MS);
      await halves.run('api');
      await until('the takeovers', () => areTakenOver(database, account, talks), KNOWN_WITHIN_MS);
      await until('no turn of the agent to be owed', () => oweNoTurn(database, account, talks), KNOWN_WITHIN_MS);
      await checkSilence(ground, account, database, talks);
      await ground.sandbox.disarm();
    });
    await letAgentAnswer(ground, account, false);
    return `in ${PEOPLE} conversations with sends that hung, the agent was not heard`;
  },
};

/**
 * Lets the agent answer in a conversation without the owner, because its silence elsewhere would otherwise prove
 * nothing.
 */
async function hearAgent({ ground: { sandbox }, ledger, round }: Scene, { session }: Account): Promise<void> {
  const phone = `1555031${1_100 + round}`;
  const text = `round ${round}, question to the agent`;
  await sandbox.personWrites(session, phone, text);
  ledger.inbound.push({ round, text });
  const isHeard = async () => (await sandbox.sends(session)).some(({ chatId }) => chatId === `${phone}@c.us`);
  await until('the agent to answer', isHeard, KNOWN_WITHIN_MS);
}

/**
 * Puts into each conversation a send that hangs, a contact's question and the owner's answer on the phone, and waits
 * until the API has stored those answers.
 */
async function talk({ ground, ledger, round, random }: Scene, account: Account, database: Client): Promise<Talk[]> {
  const { sandbox, fileUrl } = ground;
  const { session } = account;
  const talks = Array.from({ length: PEOPLE }, (_, index) => ({
    phone: `1555030${1_100 + PEOPLE * round + index}`,
    ours: `round ${round}, person ${index + 1}, offer`,
    owners: `round ${round}, person ${index + 1}, from the phone`,
  }));
  for (const each of talks) await sandbox.arm({ route: 'sendText', kind: 'hang', session, chatId: chatIdOf(each) });
  await Promise.all(
    talks.map(({ phone, ours }) =>
      accept(ground, ledger, newRequest({ round, account, to: phone, text: ours }, { fileUrl, random }, TEXT)),
    ),
  );
  await until('the offers to be on their way', async () => {
    const sends = await sandbox.sends(session);
    return talks.every(({ ours }) => sends.some(({ body }) => body === ours));
  });
  for (const [index, { phone, owners }] of talks.entries()) {
    const text = `round ${round}, person ${index + 1}, question`;
    await sandbox.personWrites(session, phone, text);
    ledger.inbound.push({ round, text });
    await sandbox.phoneWrites(session, phone, owners);
  }
  await until("the owner's words to be taken in", async () => {
    const { rows } = await database.query(
      `select 1 from unnest($2::text[]) words
       where exists (select 1 from backend_event where session_name = $1 and strpos(body, words) > 0)`,
      [session, talks.map(({ owners }) => owners)],
    );
    return rows.length === talks.length;
  });
  return talks;
}

async function areTakenOver(database: Client, { session }: Account, talks: readonly Talk[]): Promise<boolean> {
  const { rows } = await database.query(
    `select 1 from conversation c join session s on s.id = c.session_id
     where s.name = $1 and c.chat_id = any($2) and c.mode = 'human_takeover'`,
    [session, talks.map(chatIdOf)],
  );
  return rows.length === talks.length;
}

async function oweNoTurn(database: Client, { session }: Account, talks: readonly Talk[]): Promise<boolean> {
  const { rows } = await database.query(
    `select 1 from message m join conversation c on c.id = m.conversation_id join session s on s.id = c.session_id
     where s.name = $1 and c.chat_id = any($2) and m.awaits_turn limit 1`,
    [session, talks.map(chatIdOf)],
  );
  return rows.length === 0;
}

async function checkSilence(
  { sandbox }: Ground,
  { session }: Account,
  database: Client,
  talks: readonly Talk[],
): Promise<void> {
  const chatIds = talks.map(chatIdOf);
  const sends = (await sandbox.sends(session)).filter(({ chatId }) => chatIds.includes(chatId ?? ''));
  const others = sends.filter(({ body }) => !talks.some(({ ours }) => ours === body));
  if (others.length > 0) throw new Error(`The agent was heard ${others.length} times where the owner had answered.`);
  const { rows } = await database.query<{ words: string; times: number }>(
    `select words, (select count(*)::int from message m join session s on s.id = m.session_id
       where s.name = $1 and m.body = words) as times from unnest($2::text[]) words`,
    [session, talks.map(({ owners }) => owners)],
  );
  for (const { words, times } of rows) {
    if (times !== 1) throw new Error(`"${words}" is ${times} times in the inbox.`);
  }
}

export async function letAgentAnswer({ machine }: Ground, { key }: Account, enabled: boolean): Promise<void> {
  const put = async (path: string, body: object): Promise<void> => {
    const { status } = await call(machine.url, 'PUT', `/api/v1/ai-sales-agent/${path}`, { key, body });
    if (status !== 200) throw new Error(`The agent's ${path} was answered with ${status}.`);
  };
  await put('persona', { quietPeriodMs: QUIET_MS, extractMemories: false });
  await put('state', { enabled });
}

function chatIdOf({ phone }: Talk): string {
  return `${phone}@c.us`;
}
