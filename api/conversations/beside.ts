import { findPhones } from '../../db/conversations/contact.ts';
import { readMessageChanges } from '../../db/conversations/inbox/message-changes.ts';
import type { MessageChanges } from '../../db/conversations/inbox/message-changes.ts';
import type { Message } from '../../db/conversations/message.ts';
import { findQuoted } from '../../db/conversations/quoted.ts';
import type { Queries } from '../../db/engine/tx.ts';
import type { TenantScope } from '../../domain/scope.ts';

/** Data that views of messages show beside their rows. */
export interface Beside {
  /** The phones of people who are shown under a hidden id. */
  phones: ReadonlyMap<string, string>;
  /** The id of the quoted message, by the id of the message. */
  quoted: ReadonlyMap<string, string>;
  /** The later changes of each message, by its id. */
  changes: ReadonlyMap<string, MessageChanges>;
}

/** Reads what views of these messages show beside their rows; `chatIds` are those of their conversations. */
export async function readBeside(
  queries: Queries,
  scope: TenantScope,
  { messages, chatIds }: { messages: readonly Message[]; chatIds: readonly string[] },
): Promise<Beside> {
  const changes = await readMessageChanges(queries, scope, messages);
  const members = messages.flatMap(({ participant }) => participant ?? []);
  const responders = [...changes.values()].flatMap(({ responses }) => responses.map((each) => each.responder));
  return {
    changes,
    quoted: await findQuoted(queries, scope, messages),
    phones: await findPhones(queries, scope, [...chatIds, ...members, ...responders]),
  };
}
