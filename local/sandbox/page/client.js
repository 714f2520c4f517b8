// The page of the sandbox. All that people have written is put into the page as text, never as markup.

import { deedOf } from './person-actions.js';
import { element, fill, make } from './dom.js';

const LOOK_EVERY_MS = 1_000;
const MAGIC_AREA = '1555010';
const SHORT = /^\d{4}$/;

/**
 * @typedef {{ name: string, status: string, engine: string, phone: string | null,
 *   since: number | null }} Session
 * @typedef {{ id: string, by: 'engine' | 'phone' | 'person', kind: string, text: string, marks: string[], reactions: string[], options: string[],
 *   level: string | null, at: number, with: string }} Message
 * @typedef {{ at: number, to: string | null, kind: string, text: string | null, level: string, duplicate: boolean }} Send
 * @typedef {{ id: string, fault: Record<string, unknown>, left: number | null }} Fault
 * @typedef {{ scansByItself: boolean, faults: Fault[], sessions: Session[], session: string | null,
 *   chats: { with: string, name: string | null, last: string | null }[], messages: Message[], sends: Send[] }} View
 */

const app = element('app', HTMLElement);
const login = element('login', HTMLFormElement);
const trouble = element('trouble', HTMLElement);
const person = element('person', HTMLInputElement);
const hiddenId = element('hidden-id', HTMLInputElement);
const text = element('text', HTMLInputElement);
const kind = element('kind', HTMLSelectElement);
const scans = element('scans', HTMLInputElement);

let key = takeKey();
/** @type {string | null} */
let session = null;
let shownQrOf = '';
/** The last view as text; nothing is drawn again while nothing has changed. */
let drawn = '';
/** @type {Message[]} */
let said = [];

/** Takes the key out of the address, so that it stays out of bookmarks and screenshots. */
function takeKey() {
  const given = decodeURIComponent(location.hash.slice(1));
  if (given !== '') {
    sessionStorage.setItem('key', given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem('key') ?? '';
}

class WrongKey extends Error {}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
async function ask(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.status === 401) throw new WrongKey('The sandbox does not know this key.');
  const told = answer.status === 204 ? null : await answer.json();
  if (!answer.ok)
    throw new Error(`The sandbox refused the request: ${[told?.message ?? answer.status].flat().join('; ')}`);
  return told;
}

/** @param {string} what */
const ofSession = (what) => `/sandbox/sessions/${encodeURIComponent(session ?? '')}/${what}`;

/**
 * Does what a button asks for, looks again at once, and says what went wrong.
 * @param {() => Promise<unknown>} deed
 */
async function act(deed) {
  try {
    await deed();
    tell(null);
    await look();
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string | null} problem */
function tell(problem) {
  trouble.hidden = problem === null;
  trouble.textContent = problem;
}

async function look() {
  /** @type {View} */
  const view = await ask('GET', `/sandbox/view?session=${encodeURIComponent(session ?? '')}`);
  session = view.session;
  login.hidden = true;
  app.hidden = false;
  const now = JSON.stringify([view, chosenPerson()]);
  if (now === drawn) return;
  drawn = now;
  draw(view);
  await drawQr(view);
}

/** @param {View} view */
function draw(view) {
  scans.checked = view.scansByItself;
  element('no-sessions', HTMLElement).hidden = view.sessions.length > 0;
  fill('session-list', view.sessions.map(sessionItem));
  fill(
    'people',
    view.chats.map((chat) => {
      const option = make('option', '');
      option.setAttribute('value', `+${chat.with}`);
      option.setAttribute('label', chat.name ?? '');
      return option;
    }),
  );
  if (person.value === '' && document.activeElement !== person) {
    const latest = view.messages.at(-1)?.with;
    if (latest !== undefined) person.value = `+${latest}`;
  }
  drawMessages(view.messages);
  fill('sends', view.sends.map(sendRow));
  fill('fault-list', view.faults.map(faultItem));
  element('end-faults', HTMLElement).hidden = view.faults.length === 0;
}

/** @param {Message[]} messages */
function drawMessages(messages) {
  const list = element('messages', HTMLElement);
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  // A person under a hidden id whose phone the account does not know yet is another chat of the same person.
  said = messages.filter((message) => [chosenPerson(), `9${chosenPerson()}`].includes(message.with));
  fill('messages', said.map(messageItem));
  if (atEnd) list.scrollTop = list.scrollHeight;
}

/** These show their options, and need not say what they are. */
const WITH_WORDS_ONLY = ['text', 'buttons', 'list'];

/**
 * Returns the kind of content beside words; its words are its caption or its title.
 * @param {{ kind: string, text: string | null }} of
 */
function shownOf({ kind, text: words }) {
  if (!words) return `[${kind}]`;
  return WITH_WORDS_ONLY.includes(kind) ? words : `[${kind}] ${words}`;
}

/** @param {Message} message */
function messageItem(message) {
  const item = make('li', shownOf(message));
  if (message.by !== 'person') item.className = 'ours';
  for (const option of message.options) item.append(make('small', `▸ ${option}`));
  const by = { engine: 'engine', phone: 'from the phone', person: '' }[message.by];
  if (message.reactions.length > 0) item.append(make('small', message.reactions.join(' ')));
  const parts = [timeOf(message.at), by, ...message.marks, message.level ?? ''].filter((part) => part !== '');
  item.append(make('small', parts.join(' · ')));
  return item;
}

/** @param {Session} given */
function sessionItem(given) {
  const button = make('button', given.name);
  button.setAttribute('type', 'button');
  button.setAttribute('aria-pressed', String(given.name === session));
  const status = make('small', given.status);
  status.className = `status-${given.status}`;
  button.append(status, make('small', [given.engine, given.phone && `+${given.phone}`].filter(Boolean).join(' · ')));
  button.addEventListener('click', () => {
    session = given.name;
    person.value = '';
    void act(async () => undefined);
  });
  const item = make('li', '');
  item.append(button);
  return item;
}

/** @param {Send} send */
function sendRow(send) {
  const level = make('span', send.duplicate ? `${send.level}, repeated` : send.level);
  level.className = `level level-${send.level.split(' ')[0]}`;
  const row = make('tr', '');
  for (const cell of [timeOf(send.at), send.to === null ? '?' : `+${send.to}`, shownOf(send), level]) {
    const td = make('td', '');
    td.append(cell);
    row.append(td);
  }
  return row;
}

/** @param {Fault} armed */
function faultItem({ id, fault, left }) {
  const item = make('li', '');
  const end = make('button', 'End');
  end.setAttribute('type', 'button');
  end.addEventListener('click', () => void act(() => ask('DELETE', `/sandbox/faults/${encodeURIComponent(id)}`)));
  const lasts = left === null ? 'until you end it' : `${left} left`;
  const told = ['route', 'kind', 'webhook', 'session', 'chatId', 'events', 'refuse', 'clockAheadMs'];
  const words = Object.entries(fault).filter(([name]) => told.includes(name));
  item.append(end, make('code', words.map(([name, value]) => `${name}: ${String(value)}`).join(', ')), lasts);
  return item;
}

/** @param {View} view */
async function drawQr(view) {
  const chosen = view.sessions.find(({ name }) => name === session);
  const shown = chosen?.status === 'SCAN_QR_CODE';
  element('qr', HTMLElement).hidden = !shown;
  const of = shown ? `${chosen.name} since ${chosen.since}` : '';
  if (of === shownQrOf) return;
  shownQrOf = of;
  if (!shown) return;
  const { mimetype, data } = await ask('GET', ofSession('qr'));
  element('qr-picture', HTMLImageElement).src = `data:${mimetype};base64,${data}`;
}

const timeOf = (/** @type {number} */ at) => new Date(at).toLocaleTimeString();

/** The digits of the person in the chat box; four digits are the end of a magic number. */
function chosenPerson() {
  const digits = person.value.replaceAll(/\D/g, '');
  return SHORT.test(digits) ? MAGIC_AREA + digits : digits;
}

/** A person under a hidden id is known by it alone: the engine has to ask the network for the phone. */
function sender() {
  const digits = chosenPerson();
  if (digits === '') throw new Error('Enter who writes: a number such as +15550100020, or its last four digits.');
  return hiddenId.checked ? { from: `9${digits}@lid` } : { from: digits };
}

/**
 * @param {string} id
 * @param {string} event
 * @param {() => Promise<unknown>} deed
 */
function on(id, event, deed) {
  element(id, HTMLElement).addEventListener(event, (happened) => {
    if (event === 'submit') happened.preventDefault();
    void act(deed);
  });
}

on('write', 'submit', async () => {
  await ask('POST', ofSession('inbound'), { ...sender(), text: text.value });
  text.value = '';
});
on('as-phone', 'click', async () => {
  if (text.value === '') throw new Error('Enter what the owner writes.');
  await ask('POST', ofSession('phone'), { to: sender().from, text: text.value });
  text.value = '';
});
on('do', 'submit', async () => {
  const deed = { ...sender(), text: text.value, messages: said };
  const { act: what, body } = deedOf(element('deed', HTMLSelectElement).value, deed);
  await ask('POST', ofSession(what), body);
  text.value = '';
});
on('scan', 'click', () => ask('POST', ofSession('scan')));
on('scans', 'change', () => ask('POST', '/sandbox/scanning', { byItself: scans.checked }));
on('person', 'input', async () => undefined);
on('end-faults', 'click', () => ask('DELETE', '/sandbox/faults'));
on('arm', 'submit', () => {
  const count = Number(element('count', HTMLInputElement).value);
  const route = element('route', HTMLInputElement).value;
  const chosen = kind.value;
  if (chosen === 'refuse') return ask('POST', '/sandbox/faults', { refuse: true });
  const isEvent = ['duplicate', 'reorder', 'lose', 'silent'].includes(chosen);
  return ask('POST', '/sandbox/faults', isEvent ? { webhook: chosen, count } : { route, kind: chosen, count });
});
login.addEventListener('submit', (happened) => {
  happened.preventDefault();
  key = element('key', HTMLInputElement).value.trim();
  sessionStorage.setItem('key', key);
  void act(look);
});

for (;;) {
  try {
    if (key !== '') await look();
    else login.hidden = false;
  } catch (error) {
    if (error instanceof WrongKey) key = '';
    app.hidden = error instanceof WrongKey;
    tell(error instanceof WrongKey ? error.message : 'The sandbox does not respond. Is it running?');
    drawn = '';
  }
  await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}
