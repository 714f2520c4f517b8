import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { workflowId } from '../../domain/names.ts';
import { call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { rowsOf } from '../support/rows.ts';
import { BACKEND_KEY } from '../support/keys.ts';
import { personWrites, textsSeenBy } from '../support/sandbox-record.ts';

interface Scene {
  engine: TestEngine;
  agency: Agency;
  settle: () => Promise<void>;
}

interface Person {
  name: string;
  phone: string;
  /** The automation that is on, whose executions are looked at. */
  automation: string;
}

interface Conversation {
  id: string;
  mode: string;
  assignee: string | null;
}

interface Execution {
  id: string;
  status: string;
  reason: string | null;
  waitsFor: string | null;
  version: number | null;
}

/** Somebody on the network who writes to the account, and what has become of that. */
export class KitContact {
  readonly #scene: Scene;
  readonly #person: Person;
  readonly #chatId: string;
  #seen = 0;

  constructor(scene: Scene, person: Person) {
    this.#scene = scene;
    this.#person = person;
    this.#chatId = `${person.phone}@c.us`;
  }

  get phone(): string {
    return this.#person.phone;
  }

  /** The contact writes. Resolves when automations have done what there is to do about it. */
  async says(text: string): Promise<void> {
    const { engine, agency, settle } = this.#scene;
    const { name: pushName, phone: from } = this.#person;
    const timestamp = Math.floor(engine.database.clock.now().getTime() / 1_000);
    const id = await personWrites(engine, agency.session.name, { from, text, pushName, timestamp });
    const stored = sql<object>`select 1 from message where network_id = ${id} and session_id = ${agency.session.id}`;
    await eventually(async () => (await rowsOf(engine.database, stored)).length > 0, { what: 'the message to arrive' });
    await settle();
  }

  /** A person takes the conversation over, as from a dashboard. */
  async isTakenOver(assignee: string): Promise<void> {
    await this.#ask(`/api/v1/conversations/${(await this.#conversation()).id}/assign`, { assignee });
  }

  /** The person gives the conversation back to the agent. */
  async isGivenBack(): Promise<void> {
    await this.#ask(`/api/v1/conversations/${(await this.#conversation()).id}/release`, {});
  }

  /** Somebody asks by the API that the automation runs for this contact, who must have written before. */
  async isRunFor(request: { input?: object; key?: string } = {}): Promise<void> {
    const { id: conversationId } = await this.#conversation();
    const { automation } = this.#person;
    await this.#ask('/api/v1/automation-executions', { automation, conversationId, ...request });
  }

  /** Somebody calls the run off that was asked for with this key. */
  async isCalledOff(key: string): Promise<void> {
    await this.#ask('/api/v1/automation-executions/cancel', { automation: this.#person.automation, key });
  }

  /** The contact has got these texts since this was asked last, and no others; without texts: nothing. */
  async expectSent(...texts: string[]): Promise<void> {
    const { engine, agency } = this.#scene;
    await this.#settled();
    const seen = await textsSeenBy(engine, agency.session.name, this.#chatId);
    expect(seen.slice(this.#seen)).toEqual(texts);
    this.#seen = seen.length;
  }

  /** Returns the assignee of the conversation. */
  async assignee(): Promise<string | null> {
    await this.#scene.settle();
    return (await this.#conversation()).assignee;
  }

  /** A person has the conversation; with a name: that one. */
  async expectAssigned(assignee?: string): Promise<void> {
    await this.#settled();
    const wanted = { mode: 'human_takeover', ...(assignee === undefined ? {} : { assignee }) };
    expect(await this.#conversation()).toMatchObject(wanted);
  }

  /** The agent has the conversation. */
  async expectReleased(): Promise<void> {
    await this.#settled();
    expect(await this.#conversation()).toMatchObject({ mode: 'bot_active' });
  }

  /** The chat has these labels at the network, and no others. */
  async expectLabels(...ids: string[]): Promise<void> {
    await this.#settled();
    const labels = await backendOf(this.#scene, 'GET', `/labels/chats/${this.#chatId}`);
    expect(Labels.parse(labels).map(({ id }) => id)).toEqual(ids);
  }

  /** The latest run for this contact has come to its end. */
  async expectCompleted(): Promise<void> {
    await this.#expectLatest({ status: 'completed', reason: null });
  }

  /** The latest run was ended for a reason, such as `taken_over`. */
  async expectEnded(status: 'failed' | 'cancelled', reason: string): Promise<void> {
    await this.#expectLatest({ status, reason });
  }

  /** The latest run waits for this, such as `reply`. */
  async expectWaiting(waitsFor: string): Promise<void> {
    await this.#expectLatest({ status: 'running', waitsFor });
  }

  /** Checks the number of the automation's runs for this contact. */
  async expectRuns(count: number): Promise<void> {
    await this.#scene.settle();
    expect(await this.#executions()).toHaveLength(count);
  }

  async #expectLatest(wanted: Partial<Execution>): Promise<void> {
    await (wanted.status === 'failed' ? this.#scene.settle() : this.#settled());
    const latest = (await this.#executions()).at(-1);
    if (latest === undefined) throw new Error(`${this.#person.automation} has not run for this contact.`);
    expect(latest).toMatchObject(wanted);
  }

  /** Settles, and fails the test with what the automation's code has thrown, if it has. */
  async #settled(): Promise<void> {
    await this.#scene.settle();
    const latest = (await this.#executions()).at(-1);
    if (latest?.reason === 'code_failed') throw await this.#thrownBy(latest);
  }

  /** Returns the error of the automation's code, as Temporal shows it to its author. */
  async #thrownBy({ id }: Execution): Promise<Error> {
    const failure: unknown = await this.#scene.engine.temporal.workflow
      .getHandle(workflowId('runAutomation', id))
      .result()
      .catch((error: unknown) => error);
    let cause = failure;
    while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
    if (!(cause instanceof Error)) return new Error('The execution failed, and Temporal does not say why.');
    return atItsPlace(cause);
  }

  async #executions(): Promise<Execution[]> {
    const { id } = await this.#conversation();
    return rowsOf(
      this.#scene.engine.database,
      sql<Execution>`
        select id, status, reason, waits_for as "waitsFor", definition_version as version from automation_execution
        where conversation_id = ${id} and definition = ${this.#person.automation} order by created_at, id`,
    );
  }

  async #conversation(): Promise<Conversation> {
    const { engine, agency } = this.#scene;
    const [found] = await rowsOf(
      engine.database,
      sql<Conversation>`
        select id, mode, assigned_to as assignee from conversation
        where chat_id = ${this.#chatId} and session_id = ${agency.session.id}`,
    );
    if (!found) throw new Error('The contact has not written yet: begin with contact.says(…).');
    return found;
  }

  async #ask(path: string, body: object): Promise<void> {
    const { engine, agency, settle } = this.#scene;
    const { tenantId, dashboardKey: key } = agency;
    const answer = await call(engine, 'POST', path, { key, body: { tenantId, ...body } });
    if (answer.status >= 300) throw new Error(`${path} answers ${answer.status}: ${JSON.stringify(answer.body)}`);
    await settle();
  }
}

const AUTHORS_PLACE = /\((workflows\/automations\/[\w-]+\.ts:\d+:\d+)\)$/;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The error with the line of the author's code as its stack: that is the code that the failing test shows. */
function atItsPlace({ name, message }: Error): Error {
  const error = new Error(message);
  const place = AUTHORS_PLACE.exec(message)?.[1];
  error.name = name;
  if (place !== undefined) error.stack = `${name}: ${message}\n    at run (${ROOT}${place})`;
  return error;
}

const Labels = z.array(z.object({ id: z.string() }));

/** Asks the network's double for something about the account, beside the engine. */
export async function backendOf(
  { engine, agency }: Pick<Scene, 'engine' | 'agency'>,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${engine.sandbox.url}/api/${agency.session.name}${path}`, {
    method,
    headers: { 'x-api-key': BACKEND_KEY, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`The sandbox answers ${response.status} to ${method} ${path}.`);
  return response.json();
}
