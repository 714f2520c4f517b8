import { seededMessageId } from '../ids.ts';
import { digits, hash, pick, seeded } from '../random.ts';
import type { Random } from '../random.ts';
import { addMessage, chatOf } from '../state/apply-to-account.ts';
import type { Account } from '../state/session.ts';
import { GROUP_LINES, GROUP_NAME, LABELS, LINES, NAMES } from './phrases.ts';
import type { Line } from './phrases.ts';

const DAY_S = 86_400;

interface Person {
  id: string;
  name: string;
}

/**
 * Adds what the phone held when it was linked: three labels and twelve chats of the past weeks, one of them a group and
 * one with a contact who is known by a hidden id. The same session name and seed always give the same history.
 */
export function addOlderHistory(account: Account, sessionName: string, seed: number, linkedAtMs: number): void {
  const random = seeded(hash(sessionName) ^ seed);
  const nowS = Math.floor(linkedAtMs / 1000);
  for (const label of LABELS) account.labels.set(label.id, label);
  const people = NAMES.map((name, index) => addPerson(account, random, name, index));
  for (const [index, person] of people.entries()) {
    const startS = nowS - (40 - index * 3) * DAY_S;
    addTalk(account, random, person.id, startS, person, index % 3 === 0 ? 1 : 0);
  }
  addGroup(account, random, people, nowS - 2 * DAY_S);
  const [first, second] = people;
  if (first) chatOf(account, first.id).labels = ['1'];
  if (second) chatOf(account, second.id).labels = ['1', '2'];
}

function addPerson(account: Account, random: Random, name: string, index: number): Person {
  const phone = `1${pick(random, ['202', '303', '415', '512', '617'])}55501${String(20 + index).padStart(2, '0')}@c.us`;
  account.contacts.set(phone, { id: phone, name, pushname: name.split(' ')[0] ?? name, about: 'Hi, I am simulated.' });
  // The last contact hides the number, as a growing share of real people does.
  if (index < NAMES.length - 1) return { id: phone, name };
  const lid = `1${digits(random, 14)}@lid`;
  account.aliases.set(lid, phone).set(phone, lid);
  account.contacts.set(phone, { id: phone, name, pushname: name, lid, about: 'Hi, I am simulated.' });
  return { id: lid, name };
}

function addTalk(
  account: Account,
  random: Random,
  chatId: string,
  startS: number,
  other: Person,
  unread: number,
): void {
  chatOf(account, chatId).name = other.name;
  const length = LINES.length - 2 + Math.floor(random() * 3);
  let timestamp = startS + Math.floor(random() * DAY_S);
  for (const line of LINES.slice(0, length)) {
    addLine(account, random, chatId, timestamp, line, other);
    timestamp += 60 + Math.floor(random() * 3 * 3600);
  }
  const chat = chatOf(account, chatId);
  chat.unread = 0;
  for (let more = 0; more < unread; more += 1) {
    addLine(account, random, chatId, timestamp + more * 60, { fromMe: false, text: 'Are you still there?' }, other);
  }
}

function addLine(account: Account, random: Random, chatId: string, timestamp: number, line: Line, other: Person): void {
  addMessage(account, {
    id: seededMessageId(random),
    chatId,
    fromMe: line.fromMe,
    source: 'app',
    timestamp,
    kind: 'text',
    body: line.text.replaceAll('{name}', other.name.split(' ')[0] ?? other.name),
    ack: line.fromMe ? 3 : 2,
    ...(line.fromMe ? {} : { pushName: other.name }),
    ...(chatId.endsWith('@g.us') && !line.fromMe ? { participant: other.id } : {}),
  });
}

function addGroup(account: Account, random: Random, people: readonly Person[], startS: number): void {
  const id = `120363${digits(random, 12)}@g.us`;
  const members = people.slice(0, 3);
  account.groups.set(
    id,
    members.map((person) => person.id),
  );
  account.contacts.set(id, { id, name: GROUP_NAME });
  chatOf(account, id).name = GROUP_NAME;
  for (const [index, line] of GROUP_LINES.entries()) {
    const speaker = members[index % members.length];
    if (speaker) addLine(account, random, id, startS + index * 900, line, speaker);
  }
}
