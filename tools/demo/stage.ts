import { deepStrictEqual } from 'node:assert';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { call } from './call.ts';
import type { Answer, CallOptions } from './call.ts';
import type { SandboxControl } from './sandbox-control.ts';
import type { Target } from './target.ts';
import type { Terminal } from './terminal.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** The parts of the demo: the engine, an agency made for this run, its webhook receiver and the simulated network. */
export interface Stage {
  target: Target;
  terminal: Terminal;
  sandbox: SandboxControl;
  receiver: WebhookReceiver;
  receiverUrl: string;
  webhookSecret: string;
  agencyId: string;
  tenantId: string;
}

/** The agency once its account is connected. */
export interface Connected extends Stage {
  dashboardKey: string;
  scopedKey: string;
  /** The session's name at the backend. */
  session: string;
}

/** Makes a call without the client, as mistakes are made; shows it, and fails unless the answer has this status. */
export async function shown(
  { target, terminal }: Stage,
  status: number,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const sent = options.body === undefined ? '' : ` ${JSON.stringify(options.body)}`;
  terminal.detail(`→ ${method} ${path}${sent}`);
  const answer = await callPatiently(target.url, method, path, options);
  terminal.detail(`← ${answer.status} ${toldOf(answer.body)}`);
  if (answer.status !== status)
    throw new Error(`${method} ${path} must answer ${status}, and answered ${answer.status}.`);
  return answer;
}

const TOO_MANY_REQUESTS = 429;

/** Repeats what the engine refuses because the key has asked too much, after the time that the engine names. */
async function callPatiently(base: string, method: string, path: string, options: CallOptions): Promise<Answer> {
  for (;;) {
    const answer = await call(base, method, path, options);
    if (answer.status !== TOO_MANY_REQUESTS) return answer;
    await pause(Number(answer.headers.get('retry-after') ?? 1) * 1_000);
  }
}

const Problem = z.object({ code: z.string(), detail: z.string() });

/** Returns the part of a response's body that the screen shows. */
export function toldOf(body: unknown): string {
  const problem = Problem.safeParse(body).data;
  return problem ? `${problem.code}: ${problem.detail}` : JSON.stringify(body);
}

export function expect(fact: boolean, otherwise: string): asserts fact {
  if (!fact) throw new Error(otherwise);
}

export function expectSame(seen: unknown, promised: unknown, what: string): void {
  try {
    deepStrictEqual(seen, promised);
  } catch {
    throw new Error(`${what} must be ${JSON.stringify(promised)}, and is ${JSON.stringify(seen)}.`);
  }
}
