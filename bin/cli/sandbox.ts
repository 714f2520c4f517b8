import { z } from 'zod';
import type { Engine, SessionStatus } from '../../packages/typescript/src/index.ts';
import { askJson, NoAnswer } from './ask-json.ts';
import type { JsonAnswer } from './ask-json.ts';
import { CommandError } from './command-error.ts';
import type { SandboxTarget } from './target.ts';

const SandboxSession = z.object({ me: z.object({ id: z.string() }).nullable() });

/** The sandbox refuses what it cannot read with a sentence for each field. */
const Wrong = z.object({ message: z.array(z.string()).min(1) });

/** Plays the people of a session at the sandbox, so that a triggered event happens as it would with real people. */
export class SandboxPeople {
  readonly #target: SandboxTarget;
  readonly session: SessionStatus;

  private constructor(target: SandboxTarget, session: SessionStatus) {
    this.#target = target;
    this.session = session;
  }

  /** Throws unless the sandbox plays the tenant's account, so that no real person is written to. */
  static async of(client: Engine, target: SandboxTarget): Promise<SandboxPeople> {
    const session = await client.sessions.readStatus();
    if (session.phone === null) {
      throw new CommandError(
        `The session ${session.name} is ${session.status} and has no account yet: connect it first.`,
      );
    }
    const people = new SandboxPeople(target, session);
    const played = await people.#ask('GET', `/api/sessions/${encodeURIComponent(session.name)}`);
    const me = SandboxSession.safeParse(played.body).data?.me;
    if (!played.ok || me?.id !== `${session.phone}@c.us`) {
      throw new CommandError(
        `The engine does not use this sandbox, so nothing was triggered: ${target.url} has no session ${session.name} with this account.`,
      );
    }
    return people;
  }

  async personWrites(from: string, text: string): Promise<void> {
    await this.#control('inbound', { from, text });
  }

  async putInto(status: 'FAILED' | 'WORKING'): Promise<void> {
    await this.#control('status', { status });
  }

  async warn(capping: { cappingStatus: 'FIRST_WARNING'; usedQuota: number; totalQuota: number }): Promise<void> {
    await this.#control('capping', capping);
  }

  async #control(what: string, body: object): Promise<void> {
    const path = `/sandbox/sessions/${encodeURIComponent(this.session.name)}/${what}`;
    const { ok, status, body: answer } = await this.#ask('POST', path, body);
    if (ok) return;
    const wrong = Wrong.safeParse(answer).data?.message.join('; ');
    throw new CommandError(wrong ?? `The sandbox answered ${status} to ${what}: see its page at ${this.#target.url}.`);
  }

  async #ask(method: string, path: string, body?: object): Promise<JsonAnswer> {
    const { url, key } = this.#target;
    try {
      return await askJson(url + path, { method, headers: { 'x-api-key': key }, body });
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      throw new CommandError(`The sandbox at ${url} does not answer. Try again, or start its engine (npm start).`);
    }
  }
}
