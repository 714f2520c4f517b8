import { z } from 'zod';
import type { Core } from '../network/core.ts';
import type { StatusWaiters } from '../network/status-waiters.ts';
import type { Status } from '../state/fact.ts';
import type { Session } from '../state/session.ts';
import type { Context } from './context.ts';
import type { Refusal } from './failures.ts';
import {
  badRequest,
  lostSession,
  noSessionName,
  notFound,
  notInStatus,
  unknownSession,
  unnamedSession,
} from './failures.ts';

const InBody = z.looseObject({ session: z.string().min(1) });

/**
 * The place in which a route names its session. Versions of the real backend read a session that is missing in the query
 * as `default`, which is somebody's account; the sandbox refuses, as newer ones do, so that no caller counts on it.
 */
export type NamedIn = 'path' | 'query' | 'body';

export class Sessions {
  readonly #core: Core;
  readonly #waiters: StatusWaiters;

  constructor(core: Core, waiters: StatusWaiters) {
    this.#core = core;
    this.#waiters = waiters;
  }

  /** Finds a session for the lifecycle routes; an unknown one is answered with 404 at once. */
  known(name: string): Session {
    const session = this.#core.world.sessions.get(name);
    if (!session) throw notFound('Session not found');
    return session;
  }

  /** Finds a session for the control routes, which say how sessions are named. */
  controlled(name: string): Session {
    const session = this.#core.world.sessions.get(name);
    if (!session) throw this.#unnamed(name);
    return session;
  }

  /** Refuses a name that neither a session has nor one that the backend has lost. */
  demandNamed(name: string): void {
    const { sessions, lost } = this.#core.world;
    if (!sessions.has(name) && !lost.has(name)) throw this.#unnamed(name);
  }

  #unnamed(name: string): Refusal {
    const { sessions, lost } = this.#core.world;
    return lost.has(name) ? lostSession(name) : unnamedSession(name, [...sessions.keys()]);
  }

  /**
   * Finds a session for every other route. Like the real backend it waits for the session to work and gives up with
   * 422.
   */
  working(ctx: Context, namedIn: NamedIn): Promise<Session> {
    return this.inStatus(nameOf(ctx, namedIn), 'WORKING');
  }

  async inStatus(name: string, expected: Status): Promise<Session> {
    const find = () => this.#core.world.sessions.get(name);
    const ready = () => find()?.status === expected;
    if (!ready()) await this.#waiters.until(name, ready, this.#core.settings.sessionBlockMs);
    const session = find();
    if (!session) throw unknownSession(name);
    if (session.status !== expected) throw notInStatus(name, session.status, [expected]);
    return session;
  }
}

function nameOf(ctx: Context, namedIn: NamedIn): string {
  if (namedIn === 'path') return ctx.params['session'] ?? '';
  const inBody = InBody.safeParse(ctx.state.body);
  if (namedIn === 'body') {
    if (!inBody.success) throw noSessionName();
    return inBody.data.session;
  }
  const { session } = ctx.query;
  const name = Array.isArray(session) ? session[0] : session;
  if (name === undefined || name === '') throw badRequest('Session name is required');
  return name;
}
