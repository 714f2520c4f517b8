/** A call of the sandbox whose answer must look like an example's. */
export interface ExampleProbe {
  example: string;
  method: string;
  path: string;
  body?: object;
}

const PERSON = '15557654321@c.us';
const UNKNOWN = '15550109998';

/** In this order: later calls build on earlier ones. `fresh` shows its code, `failed` could not show one. */
export function exampleProbes({ session, fresh, failed }: { session: string; fresh: string; failed: string }) {
  const at = `/api/${session}`;
  const probes: ExampleProbe[] = [];
  const add = (file: string) => (title: string, method: string, path: string, body?: object) => {
    probes.push({ example: `${file}: ${title}`, method, path, ...(body === undefined ? {} : { body }) });
  };
  profile(add('profile'), at, session);
  contacts(add('contacts'), at, session);
  labels(add('labels'), at);
  people(add('lids-groups-presence'), at, session);
  sends(add('send-answers'), session);
  lifecycle(add('session-lifecycle'), { session, fresh, failed });
  return probes;
}

type Add = (title: string, method: string, path: string, body?: object) => void;

function profile(add: Add, at: string, session: string): void {
  add('GET /api/{session}/profile', 'GET', `${at}/profile`);
  add('PUT /api/{session}/profile/name {"name":"Shop One"}', 'PUT', `${at}/profile/name`, { name: 'Shop One' });
  add('PUT …/profile/name {}', 'PUT', `${at}/profile/name`, {});
  add('PUT /api/{session}/profile/status {"status":"…"}', 'PUT', `${at}/profile/status`, { status: 'Open' });
  add('GET /api/{session}/profile after the change', 'GET', `${at}/profile`);
  add('GET /api/sessions/{session}/me after the change', 'GET', `/api/sessions/${session}/me`);
}

function contacts(add: Add, at: string, session: string): void {
  const query = `session=${session}`;
  const all = `/api/contacts/all?${query}&limit=20&sortBy=name&sortOrder=asc`;
  add('GET /api/contacts/all?session&limit&sortBy=name&sortOrder=asc', 'GET', all);
  add('GET /api/contacts?session&contactId (unknown)', 'GET', `/api/contacts?${query}&contactId=${UNKNOWN}`);
  const named = { firstName: 'Alice', lastName: 'Smith' };
  add('PUT /api/{session}/contacts/{id} {"firstName","lastName"}', 'PUT', `${at}/contacts/${PERSON}`, named);
  add('GET /api/{session}/contacts/{id}', 'GET', `${at}/contacts/${PERSON}`);
  for (const act of ['block', 'unblock']) {
    add(`POST /api/contacts/${act}`, 'POST', `/api/contacts/${act}`, { session, contactId: PERSON });
  }
  add('GET /api/contacts/about', 'GET', `/api/contacts/about?${query}&contactId=${PERSON}`);
  add('GET /api/contacts/profile-picture', 'GET', `/api/contacts/profile-picture?${query}&contactId=${PERSON}`);
  add('GET /api/contacts/check-exists?phone', 'GET', `/api/contacts/check-exists?${query}&phone=15557654321`);
  add('check-exists, not there', 'GET', `/api/contacts/check-exists?${query}&phone=15550100010`);
}

function labels(add: Add, at: string): void {
  const [all, chat] = [`${at}/labels`, `${at}/labels/chats/${PERSON}`];
  add('POST /api/{session}/labels {"name":"Lead","color":1}', 'POST', all, { name: 'Lead', color: 1 });
  add('POST … {"name":"Hot","colorHex":"#ff9485"}', 'POST', all, { name: 'Hot', colorHex: '#ff9485' });
  add('POST … with color and colorHex', 'POST', all, { name: 'Both', color: 1, colorHex: '#ff9485' });
  add('POST … a name that exists', 'POST', all, { name: 'Lead', color: 2 });
  add('GET /api/{session}/labels', 'GET', all);
  add('PUT /api/{session}/labels/chats/{chatId} {"labels":[{"id":"1"}]}', 'PUT', chat, { labels: [{ id: '1' }] });
  add('GET /api/{session}/labels/chats/{chatId}', 'GET', chat);
  add('PUT … {"labels":[{"id":"99"}]} (unknown)', 'PUT', chat, { labels: [{ id: '99' }] });
  add('PUT … {"labels":[]}', 'PUT', chat, { labels: [] });
  add('PUT /api/{session}/labels/1 {"name":"Lead2","color":3}', 'PUT', `${all}/1`, { name: 'Lead2', color: 3 });
  add('DELETE /api/{session}/labels/1', 'DELETE', `${all}/1`);
  for (const id of ['2', '3', '4', '5']) add('DELETE /api/{session}/labels/1', 'DELETE', `${all}/${id}`);
  add('GET /api/{session}/labels (none)', 'GET', all);
}

function people(add: Add, at: string, session: string): void {
  add('GET /api/{session}/lids?limit=3', 'GET', `${at}/lids?limit=3`);
  add('GET /api/{session}/lids/pn/{phone} (unknown)', 'GET', `${at}/lids/pn/${UNKNOWN}`);
  add('POST /api/{session}/groups/refresh', 'POST', `${at}/groups/refresh`);
  add('GET /api/{session}/groups', 'GET', `${at}/groups`);
  add('GET /api/{session}/groups/count', 'GET', `${at}/groups/count`);
  add('GET /api/{session}/groups/{id} (unknown)', 'GET', `${at}/groups/120363000000000000@g.us`);
  add('POST /api/{session}/presence/{chatId}/subscribe', 'POST', `${at}/presence/${PERSON}/subscribe`);
  add('GET /api/{session}/presence/{chatId} (waits 1 s)', 'GET', `${at}/presence/${PERSON}`);
  add('POST /api/sendSeen', 'POST', '/api/sendSeen', { session, chatId: PERSON });
  add('POST /api/startTyping', 'POST', '/api/startTyping', { session, chatId: PERSON });
}

function sends(add: Add, session: string): void {
  const to = { session, chatId: PERSON };
  add('/api/sendText', 'POST', '/api/sendText', { ...to, text: 'hello from engine' });
  const file = (mimetype: string, filename: string) => ({ file: { mimetype, filename, data: 'AAAA' } });
  add('/api/sendImage', 'POST', '/api/sendImage', { ...to, caption: 'a picture', ...file('image/png', 'pic.png') });
  add('/api/sendFile', 'POST', '/api/sendFile', { ...to, ...file('application/pdf', 'offer.pdf') });
  add('/api/sendVoice', 'POST', '/api/sendVoice', { ...to, convert: true, ...file('audio/ogg', 'voice.ogg') });
  add('/api/sendVideo', 'POST', '/api/sendVideo', { ...to, convert: false, ...file('video/mp4', 'clip.mp4') });
}

function lifecycle(add: Add, { session, fresh, failed }: { session: string; fresh: string; failed: string }): void {
  const create = { name: 'n'.repeat(55) };
  add('GET /api/sessions/{session}', 'GET', `/api/sessions/${session}`);
  add('GET /api/sessions/{session}/me before login', 'GET', `/api/sessions/${fresh}/me`);
  add('POST /api/sessions, name of more than 54 characters', 'POST', '/api/sessions', create);
  add('GET /api/{session}/auth/qr while FAILED (after 10 s)', 'GET', `/api/${failed}/auth/qr`);
  add('any call, session unknown (after 5 s)', 'GET', '/api/nobody/chats');
  add('GET /api/sessions/{session}, unknown', 'GET', '/api/sessions/nobody');
  add('POST /api/sessions/restart', 'POST', '/api/sessions/restart');
  add('POST /api/sessions/{session}/restart', 'POST', `/api/sessions/${session}/restart`);
  add('POST /api/sessions/{session}/logout (of a running session)', 'POST', `/api/sessions/${session}/logout`);
}
