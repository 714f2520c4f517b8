/** The routes of the control API that the sandbox's page lists. */
export const CONTROL_ROUTES: readonly (readonly [string, string])[] = [
  ['POST /sandbox/sessions/:s/scan', 'The simulated phone scans the QR code.'],
  ['GET /sandbox/sessions/:s/qr', 'The QR code that is shown, as {mimetype, data}.'],
  ['POST /sandbox/scanning', 'Whether the phone scans the next QR codes by itself: {byItself}.'],
  ['GET /sandbox/view?session=', 'What this page shows: sessions, faults, and what was said in one session.'],
  ['POST /sandbox/sessions/:s/lose', 'The backend forgets the session without a word; its login stays on its disk.'],
  [
    'POST /sandbox/sessions/:s/history',
    'The phone hands over now what it held before it was linked. No event tells of it.',
  ],
  [
    'POST /sandbox/sessions/:s/past',
    'The account has a long past besides: {chats, messages}, so many messages in each chat. They are made when they are read.',
  ],
  [
    'POST /sandbox/sessions/:s/inbound',
    'A person writes: {from, text, chatId?, pushName?, lid?, id?, timestamp?, replyTo?, selected?: {id, text, of: buttons|list}, media?: {mimetype, filename?, data?}, viewOnce?} or one of location: {latitude, longitude, title}, vcards: [..], poll: {name, options, multipleAnswers?} in place of words.',
  ],
  [
    'POST /sandbox/sessions/:s/typing',
    'A person is seen typing: {from, presence?: typing|recording|paused|online|offline}. Told to those who ask for presence.update.',
  ],
  [
    'POST /sandbox/sessions/:s/contact',
    'The owner saves a person in the address book, or changes one: {id, name?, pushname?, lid?, picture?}; the picture is base64, an empty name takes the person out.',
  ],
  [
    'POST /sandbox/sessions/:s/group',
    'A group changes, or takes the account in: {id, name?, come?, go?, promote?, demote?}, each a list of people; with leave: true the account goes.',
  ],
  ['POST /sandbox/sessions/:s/phone', 'The owner writes from the phone: {to, text, id?, timestamp?}.'],
  ['POST /sandbox/sessions/:s/edit', 'A message is edited by its sender: {id, text}.'],
  ['POST /sandbox/sessions/:s/revoke', 'A message is deleted for everyone by its sender: {id}.'],
  ['POST /sandbox/sessions/:s/reaction', 'A person reacts: {from, id, text}.'],
  ['POST /sandbox/sessions/:s/vote', 'A person chooses in a poll: {from, id, options, failed?}.'],
  [
    'POST /sandbox/sessions/:s/call',
    'A person calls, or a call goes on: {from, id, status?: received|accepted|rejected, isVideo?, group?}.',
  ],
  ['POST /sandbox/sessions/:s/event', 'Emits any event as it is: {event, payload}.'],
  ['POST /sandbox/sessions/:s/status', 'Puts the session into a status: {status}.'],
  [
    'POST /sandbox/sessions/:s/ack',
    'Gives an ack, -1 to 4: {id, ack, reader?}; the reader is a member, where the chat is a group.',
  ],
  ['POST /sandbox/sessions/:s/engine', 'Answers in the shapes of another engine: {engine}.'],
  [
    'POST /sandbox/faults',
    '{route, kind: status500|status500After|plusOnly|hang|hangAfter|drop|dropAfter|slow, count?, delayMs?, session?, chatId?, message?} | {webhook: duplicate|reorder|lose|silent, count?, probability?, delayMs?, events?, session?} | {refuse: boolean} | {downMs} | {clockAheadMs}. `silent`: the session says WORKING and tells of nothing until it is restarted; then it tells late.',
  ],
  ['GET /sandbox/faults', 'The faults that strike now, each with its id and the calls or events it has left.'],
  ['DELETE /sandbox/faults', 'Ends all faults; with /:id one.'],
  ['GET /sandbox/record?session=', 'Every send and every other call as they were received.'],
  ['DELETE /sandbox/record', 'Forgets the calls (sends stay: they are facts).'],
  ['GET /sandbox/routes', 'Every route served here, in the form of the OpenAPI document.'],
  ['GET /sandbox/llm/calls', 'The prompts the model was given.'],
  [
    'POST /sandbox/llm/script',
    '{replies: [{text} | {json} | {toolCalls} | {status, retryAfter?} | {garbage: true} | {refusal} | {cut: true} | {hangMs}]}, each with when?: text|json; used in order.',
  ],
  ['DELETE /sandbox/llm', 'Forgets script and prompts.'],
];
