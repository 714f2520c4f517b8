import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { sentMessageOf } from '../../adapters/backend/send/sent-message.ts';
import { EngineError } from '../../domain/error.ts';
import { jsonOf } from './json.ts';
import { isError } from './relay.ts';
import type { ActOutcome, AskedAct, AskedSend, BackendAnswer, PassedOutcome, Sends } from './sends/sends.ts';
import { KeyRefused } from './upstream.ts';
import type { Upstream, UpstreamRequest } from './upstream.ts';

/** One request that may go on, and what is needed to serve it. */
export interface Passing {
  /** Takes a place before the backend and makes the request. */
  prepare: () => Promise<UpstreamRequest>;
  response: ServerResponse;
  upstream: Pick<Upstream, 'stream' | 'fetch'>;
  onError: (error: unknown) => void;
  /** Called once the answer is being streamed, because Koa must not answer then. */
  opened: () => void;
}

export interface PassingSend extends Passing {
  sends: Sends;
  asked: AskedSend;
}

export interface PassingMessageAction extends Passing {
  sends: Pick<Sends, 'noteAct'>;
  asked: AskedAct;
}

/** Either the answer was streamed, or it is to be written. */
export type Served = { status: number; body?: undefined } | BackendAnswer;

export async function streams({ prepare, response, upstream, opened }: Passing): Promise<Served> {
  return { status: await upstream.stream(await prepare(), response, opened) };
}

/** Passes on what is done to a message, and notes it before, so that its echo is not taken for a person's. */
export async function notes({
  prepare,
  response,
  upstream,
  opened,
  sends,
  asked,
  onError,
}: PassingMessageAction): Promise<Served> {
  const request = await prepare();
  const conclude = await sends.noteAct(asked);
  let outcome: ActOutcome = 'unknown';
  try {
    const status = await upstream.stream(request, response, opened);
    outcome = isTaken(status) ? 'done' : isRefusal(status) ? 'refused' : 'unknown';
    return { status };
  } catch (error) {
    if (hasCarriedNothing(error)) outcome = 'refused';
    throw error;
  } finally {
    await conclude?.(outcome).catch(onError);
  }
}

const SessionAnswer = z.looseObject({ config: z.looseObject({}).nullish() });

/** Passes a request about a session on, and leaves out of the answer where its events go and by which secrets. */
export async function shows({ prepare, upstream }: Passing): Promise<Served> {
  const request = await prepare();
  // Without its body nobody could leave anything out of the answer.
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const { status, headers, body } = await upstream.fetch({ ...request, method });
  const session = SessionAnswer.safeParse(jsonOf(body));
  if (!session.success) return { status, headers, body };
  const { config, apps: _apps, assignedWorker: _worker, ...shown } = session.data;
  const { webhooks: _webhooks, proxy: _proxy, ...settings } = config ?? {};
  // An error has no settings, and keeps its own shape.
  const isPlain = isError(status) && config === undefined;
  return { status, headers, body: isPlain ? shown : { ...shown, config: settings } };
}

export interface PassingAct extends Passing {
  /** Asks the session's supervisor for what the request asks of the backend, and waits for a while until it is done. */
  act: () => Promise<void>;
}

/** Has the session's supervisor do it, because it would undo what it knows nothing of; then shows the session. */
export async function asks({ act, ...passing }: PassingAct): Promise<Served> {
  await act();
  const served = await shows(passing);
  return served.status === 200 ? { ...served, status: 201 } : served;
}

/** Passes a message on and writes into the inbox what the backend has answered. */
export async function records({ prepare, upstream, sends, asked, onError }: PassingSend): Promise<Served> {
  const request = await prepare();
  const noted = await sends.note(asked);
  let outcome: PassedOutcome = { outcome: 'unknown' };
  try {
    const answer = await upstream.fetch(request);
    outcome = outcomeOf(answer);
    return answer;
  } catch (error) {
    if (hasCarriedNothing(error)) outcome = { outcome: 'refused' };
    throw error;
  } finally {
    // The backend's response counts: an error would make the client send again. The note stays, and the message is
    // written when the network shows it.
    if (noted !== null) await sends.conclude(noted, outcome).catch(onError);
  }
}

/** Lets the queue send the message; one of which the queue does not know all is passed on. */
export async function queues(passing: PassingSend): Promise<Served> {
  return (await passing.sends.throughQueue(passing.asked)) ?? records(passing);
}

function outcomeOf({ status, body }: { status: number; body: Buffer }): PassedOutcome {
  if (isTaken(status)) {
    const sent = sentMessageOf(jsonOf(body));
    return sent === null ? { outcome: 'unknown' } : { outcome: 'sent', ...sent };
  }
  return { outcome: isRefusal(status) ? 'refused' : 'unknown' };
}

function isTaken(status: number): boolean {
  return status >= 200 && status < 300;
}

function isRefusal(status: number): boolean {
  return (status >= 400 && status < 500 && status !== 408) || status === 501;
}

/** A key that the backend does not take does nothing, and a connection that was refused has carried nothing. */
function hasCarriedNothing(error: unknown): boolean {
  if (error instanceof KeyRefused) return true;
  if (!(error instanceof EngineError) || error.code !== 'backend_unreachable') return false;
  const { cause } = error;
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ECONNREFUSED';
}
