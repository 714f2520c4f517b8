/** The routes of the control API that the sandbox's page lists. */
export const CONTROL_ROUTES: readonly (readonly [string, string])[] = [
  ['POST /sandbox/sessions/:s/scan', 'The simulated phone scans the QR code.'],
  ['GET /sandbox/sessions/:s/qr', 'The QR code that is shown, as {mimetype, data}.'],
  ['POST /sandbox/scanning', 'Whether the phone scans the next QR codes automatically: {byItself}.'],
  ['GET /sandbox/view?session=', 'The data of this page: sessions, faults, and the messages of one session.'],
  ['POST /sandbox/sessions/:s/lose', 'The backend loses the session without reporting it; its login stays on disk.'],
  [
    'POST /sandbox/sessions/:s/history',
    'The phone delivers the messages from before it was linked. No event reports it.',
  ],
  [
    'POST /sandbox/sessions/:s/past',
    'Adds a long history to the account: {chats, messages}, with that many messages in each chat. They are generated when they are read.',
  ],
  [
    'POST /sandbox/sessions/:s/inbound',
    'A person writes: {from, text, chatId?, pushName?, lid?, id?, timestamp?, replyTo?, selected?: {id, text, of: buttons|list}, media?: {mimetype, filename?, data?}, viewOnce?} or one of location: {latitude, longitude, title}, vcards: [..], poll: {name, options, multipleAnswers?} instead of text.',
  ],
  [
    'POST /sandbox/sessions/:s/typing',
    'A person is typing: {from, presence?: typing|recording|paused|online|offline}. Reported to subscribers of presence.update.',
  ],
  [
    'POST /sandbox/sessions/:s/contact',
    'The owner saves or changes a person in the address book: {id, name?, pushname?, lid?, picture?}. The picture is base64; an empty name removes the person.',
  ],
  [
    'POST /sandbox/sessions/:s/group',
    'A group changes, or adds the account: {id, name?, come?, go?, promote?, demote?}, each a list of people. With leave: true, the account leaves.',
  ],
  ['POST /sandbox/sessions/:s/phone', 'The owner writes from the phone: {to, text, id?, timestamp?}.'],
  ['POST /sandbox/sessions/:s/edit', 'The sender edits a message: {id, text}.'],
  ['POST /sandbox/sessions/:s/revoke', 'The sender deletes a message for everyone: {id}.'],
  ['POST /sandbox/sessions/:s/reaction', 'A person reacts: {from, id, text}.'],
  ['POST /sandbox/sessions/:s/vote', 'A person votes in a poll: {from, id, options, failed?}.'],
  [
    'POST /sandbox/sessions/:s/call',
    'A person calls, or a call changes: {from, id, status?: received|accepted|rejected, isVideo?, group?}.',
  ],
  ['POST /sandbox/sessions/:s/event', 'Emits any event as it is: {event, payload}.'],
  ['POST /sandbox/sessions/:s/status', 'Puts the session into a status: {status}.'],
  ['POST /sandbox/sessions/:s/ack', 'Sets an ack, -1 to 4: {id, ack, reader?}. In a group, the reader is a member.'],
  ['POST /sandbox/version', 'Plays a version of the backend: {version}, such as 2026.8.1.'],
  [
    'POST /sandbox/sessions/:s/capping',
    'Warns the account of its quota of new chats: {cappingStatus, usedQuota, totalQuota, cycleEnd}.',
  ],
  ['POST /sandbox/sessions/:s/engine', 'Responds as another engine does: {engine}.'],
  [
    'POST /sandbox/faults',
    '{route, kind: status500|status500After|plusOnly|hang|hangAfter|drop|dropAfter|slow|hold, count?, delayMs?, session?, chatId?, message?} | {webhook: duplicate|reorder|lose|silent, count?, probability?, delayMs?, events?, session?} | {refuse: boolean} | {downMs} | {clockAheadMs}. `silent`: the session is WORKING but reports nothing until it is restarted; then it reports late. `hold`: the calls wait until the fault is ended. The route is a segment of a path such as sendText, or *; the session is a name of the list above. The response contains the id that ends the fault.',
  ],
  ['GET /sandbox/faults', 'The current faults, each with its id and how many calls or events it has left.'],
  ['DELETE /sandbox/faults', 'Ends all faults; with /:id, one.'],
  [
    'GET /sandbox/record?session=&part=&limit=',
    'Every send and every other call, as received. part=sends or part=calls returns one of the two, limit=5 the newest five of each, newest last.',
  ],
  ['DELETE /sandbox/record', 'Deletes the recorded calls. Sends are kept.'],
  ['GET /sandbox/routes', 'Every route of this server, as an OpenAPI document.'],
  ['GET /sandbox/llm/calls', 'The prompts that the model received.'],
  [
    'POST /sandbox/llm/script',
    '{replies: [{text} | {json} | {toolCalls} | {status, retryAfter?} | {garbage: true} | {refusal} | {cut: true} | {hangMs} | {hold: true}]}, each with when?: text|json; used in order.',
  ],
  ['DELETE /sandbox/llm', 'Deletes script and prompts; replies that are on hold are given.'],
];
