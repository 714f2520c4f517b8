import { NodeOperationError, sleep } from 'n8n-workflow';
import type { IRun, ITriggerFunctions } from 'n8n-workflow';
import { afterEvent, afterLostCursor, afterPage, pauseMs, pullQuery, unseen } from '../../engine/pull.ts';
import type { Page, PulledEvent, PullState } from '../../engine/pull.ts';
import { ask, CREDENTIAL, isObject } from '../request.ts';
import type { Account } from '../request.ts';

/** n8n has written an execution long before this time. One that takes longer must not hold those behind it. */
const WRITTEN_AFTER_MS = 5_000;
/** Failures that a person must mend. n8n shows them, and tries to activate the workflow again. */
const FINAL = [401, 403, 404, 422];

/** The user's settings. n8n gives them only while it activates the trigger. */
export interface AskedFor {
  events: string[];
  session: string;
  startsNow: boolean;
  tenantId: string | undefined;
}

export async function askedFor(by: ITriggerFunctions): Promise<AskedFor> {
  const { tenantId } = await by.getCredentials<Account>(CREDENTIAL);
  const events = by.getNodeParameter('events');
  return {
    events: Array.isArray(events) ? events.map(String) : [],
    session: String(by.getNodeParameter('session', '')),
    startsNow: by.getNodeParameter('startWith', 'now') === 'now',
    tenantId,
  };
}

/**
 * Hands over one event after the other, until it is stopped. n8n stores an execution under the key of its event, and
 * refuses a second one of that key: so the cursor may be stored late, and what a crash repeats starts nothing.
 */
export async function follow(by: ITriggerFunctions, asked: AskedFor, signal: AbortSignal): Promise<void> {
  const kept: { pull?: PullState } = by.getWorkflowStaticData('node');
  kept.pull ??= asked.startsNow ? { since: new Date().toISOString() } : {};
  let failures = 0;
  while (!signal.aborted) {
    try {
      const page = await pull(by, asked, kept.pull, signal);
      for (const event of unseen(page, kept.pull, asked.events)) {
        if (signal.aborted) return;
        await handOver(by, event);
        kept.pull = afterEvent(kept.pull, event);
      }
      kept.pull = afterPage(kept.pull, page);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      const lost = afterLostCursor(kept.pull, codeOf(error));
      if (lost) {
        kept.pull = lost.state;
        by.saveFailedExecution(new NodeOperationError(by.getNode(), lost.says));
      } else if (FINAL.includes(statusOf(error))) {
        by.emitError(error instanceof Error ? error : new Error(String(error)));
        return;
      } else {
        failures += 1;
        await sleep(pauseMs(failures));
      }
    }
  }
}

/** Waits for one event, for whoever tries the workflow in the editor. */
export async function untilOne(by: ITriggerFunctions, asked: AskedFor, signal: AbortSignal): Promise<void> {
  let state: PullState = { since: new Date().toISOString() };
  while (!signal.aborted) {
    const page = await pull(by, asked, state, signal);
    const [event] = unseen(page, state, asked.events);
    if (event) {
      by.emit([by.helpers.returnJsonArray([JSON.parse(event.body)])]);
      return;
    }
    state = afterPage(state, page);
  }
}

/** Resolves when the execution has ended, or n8n has refused it as one that it has, or has written it at the least. */
async function handOver(by: ITriggerFunctions, event: PulledEvent): Promise<void> {
  const done = deferred();
  const data = [by.helpers.returnJsonArray([JSON.parse(event.body)])];
  by.emit(data, undefined, done, `${by.getWorkflow().id}/${by.getNode().id}/${event.id}`);
  await Promise.race([done.promise.catch(() => undefined), sleep(WRITTEN_AFTER_MS)]);
}

type Done = NonNullable<Parameters<ITriggerFunctions['emit']>[2]>;

function deferred(): Done {
  const settle: Pick<Done, 'resolve' | 'reject'> = { resolve: () => undefined, reject: () => undefined };
  const promise = new Promise<IRun>((resolve, reject) => Object.assign(settle, { resolve, reject }));
  return { promise, resolve: (value) => settle.resolve(value), reject: (error) => settle.reject(error) };
}

async function pull(
  by: ITriggerFunctions,
  { events, session, tenantId }: AskedFor,
  state: PullState,
  signal: AbortSignal,
): Promise<Page> {
  const answer = await ask(by, {
    method: 'GET',
    path: '/api/v1/webhooks/events',
    query: {
      ...pullQuery(state, events),
      ...(session === '' ? {} : { sessionId: session }),
      ...(tenantId ? { tenantId } : {}),
    },
    signal,
  });
  if (isPage(answer)) return answer;
  throw new NodeOperationError(by.getNode(), 'The engine has answered something else than events.');
}

function isPage(answer: unknown): answer is Page {
  return isObject(answer) && Array.isArray(answer['events']) && typeof answer['nextCursor'] === 'string';
}

/** The code of the problem that the engine has answered. */
function codeOf(error: unknown): string | undefined {
  const data = isObject(error) && isObject(error['response']) ? error['response']['data'] : undefined;
  const body: unknown = typeof data === 'string' ? parsed(data) : data;
  return isObject(body) && typeof body['code'] === 'string' ? body['code'] : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function statusOf(error: unknown): number {
  if (!isObject(error)) return 0;
  const { response, httpCode } = error;
  return Number(isObject(response) ? response['status'] : httpCode) || 0;
}
