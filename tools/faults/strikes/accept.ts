import type { Ground } from '../ground.ts';
import type { Ledger } from '../sends/ledger.ts';
import { messageIdsOf, post } from '../sends/post.ts';
import type { Request } from '../sends/ways.ts';

/** Repeats the request until it is answered, and records the answer in the ledger. */
export async function accept(ground: Ground, ledger: Ledger, request: Request): Promise<void> {
  const { round, texts } = request;
  const wrong = (what: string): void => void ledger.wrong.push({ round, what });
  const { answer, tries } = await post(ground, request);
  if (tries > 1) ledger.retried.push({ round });
  if (answer === null) {
    ledger.unanswered.push(...texts.map((text) => ({ round, text })));
    return;
  }
  if (answer.status !== 202) return wrong(`"${texts[0]}" was refused with ${answer.status}`);
  const ids = messageIdsOf(answer);
  if (ids.length !== texts.length) wrong(`"${texts[0]}" was answered with ${ids.length} messages`);
  for (const [index, messageId] of ids.entries()) {
    ledger.accepted.push({ round, messageId, text: texts[index] ?? '', request });
  }
}
