import type { Database } from '../../db/engine/database.ts';
import { acceptSend, acceptSends } from '../../db/sending/accept.ts';
import type { AcceptOutcome, NewSend, ScopedSend } from '../../db/sending/accept.ts';
import type { Scope } from '../../domain/scope.ts';
import { SendAccepted } from '../../domain/sending/send.ts';
import { currentTrace } from '../../domain/telemetry/tracing.ts';
import type { ApiDeps } from '../deps.ts';
import type { RequestFacts } from '../route/call.ts';
import type { Commit } from '../route/commit.ts';
import { Together } from '../route/together.ts';
import type { Shared } from '../route/together.ts';
import { answer } from '../wire/answer.ts';
import type { Answer } from '../wire/answer.ts';
import { awaitPreferred } from './prefer-wait.ts';
import { accepted } from './send.ts';
import type { Named } from './send.ts';

interface Sending {
  scope: Scope;
  request: RequestFacts;
  commit: Commit<SendAccepted>;
}

/** Declares the answer of every route that only sends. Each also names `overloaded` among its errors. */
export const accepting = { status: 202, reply: SendAccepted, idempotent: true, waits: true } as const;

/**
 * Ends every route that only sends: one statement accepts the messages of all requests of the moment, and the answer is held when the caller prefers
 * that.
 */
export async function sendAndAnswer(
  { scope, request, commit }: Sending,
  deps: ApiDeps,
  { send, named, headers = {} }: { send: NewSend; named: Named; headers?: Record<string, string> },
): Promise<Answer<SendAccepted>> {
  const reply = await commit.together(deps.accepting, { scope, send, trace: currentTrace() }, (outcome) => {
    const sent = accepted(outcome, named);
    return answer(sent.status, sent.body, { ...sent.headers, ...headers });
  });
  return awaitPreferred({ scope, request, ...deps }, reply);
}

/**
 * Makes what accepts requests that come at the same time in one statement. A request to somebody who has opted out ends
 * at once and is told of, which takes a transaction of its own.
 */
export function acceptTogether(
  database: Pick<Database, 'statement' | 'transaction'>,
): Shared<ScopedSend, AcceptOutcome> {
  const together = new Together(database, {
    forAll: acceptSends,
    lengthOf: ({ send }) => send.parts.reduce((length, part) => length + JSON.stringify(part).length, 0),
  });
  return {
    async run(input) {
      const outcome = await together.run(input);
      if (outcome.outcome !== 'opted_out') return outcome;
      return database.transaction((tx) => acceptSend(tx, input.scope, input.send));
    },
    within: (tx, { scope, send }) => acceptSend(tx, scope, send),
  };
}
