import { editIds } from '../../../adapters/backend/events/changes/edit.ts';
import type { ChangeOf, MessageChange } from '../../../domain/network/message-change.ts';

/** Changes by a contact in an unnamed chat, unless the caller says otherwise. */
const change = (networkId: string, at: number) => ({
  networkId,
  by: { fromMe: false, chatId: null, participant: null, aliases: [] },
  at,
  toldAt: at,
});

type Said<Kind extends MessageChange['kind']> = Partial<ChangeOf<Kind>>;

export function aRevoke(networkId: string, said: Said<'revoked'> = {}): ChangeOf<'revoked'> {
  return { kind: 'revoked', key: `revoked:${networkId}`, ...change(networkId, 0), ...said };
}

export function anEdit(networkId: string, body: string, { at = 1, ...said }: Said<'edited'> = {}): ChangeOf<'edited'> {
  const ids = editIds(said.editId ?? `EDIT-${body}`, body);
  return { kind: 'edited', key: `edited:${networkId}:${ids.editId}`, ...change(networkId, at), ...ids, body, ...said };
}

export function aReaction(
  networkId: string,
  emoji: string,
  { at = 1, ...said }: Said<'reaction'> = {},
): ChangeOf<'reaction'> {
  return { kind: 'reaction', key: `reaction:${networkId}:${emoji}:${at}`, ...change(networkId, at), emoji, ...said };
}
