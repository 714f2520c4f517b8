import { hash } from '../random.ts';
import type { Account } from '../state/session.ts';

/** Makes an account whose number is derived from the session's name, in the fictitious 555-01xx range. */
export function newAccount(sessionName: string): Account {
  const mark = hash(sessionName);
  const area = 200 + (mark % 700);
  const line = String(Math.floor(mark / 700) % 100).padStart(2, '0');
  // Eleven digits cannot tell many sessions apart. Four more keep the accounts' numbers distinct and plainly unreal.
  const tail = String(Math.floor(mark / 70_000) % 10_000).padStart(4, '0');
  return {
    id: `1${area}55501${line}${tail}@c.us`,
    lid: `99${String(mark).padStart(13, '0')}@lid`,
    pushName: `Sandbox ${sessionName}`,
    about: 'Simulated account',
    picture: null,
    contacts: new Map(),
    chats: new Map(),
    messages: new Map(),
    past: null,
    aliases: new Map(),
    labels: new Map(),
    blocked: new Set(),
    groups: new Map(),
    groupAdmins: new Set(),
  };
}
