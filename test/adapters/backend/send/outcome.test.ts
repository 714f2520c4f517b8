import { describe, expect, test } from '@jest/globals';
import { classifySend } from '../../../../adapters/backend/send/outcome.ts';
import type { FailureCause } from '../../../../adapters/backend/http/exchange.ts';

const asked = { chatId: '15557654321@c.us', networkId: null };

function answer(status: number, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return classifySend({ kind: 'answer', status, date: null, body: Buffer.from(text) }, asked);
}

function engineFailure(message: string) {
  return {
    statusCode: 500,
    timestamp: '2026-11-21T00:00:00.000Z',
    exception: { message, name: 'Error', stack: 'Error: …' },
    request: { path: '/api/sendText', method: 'POST', body: { text: 'a secret 463' }, query: null },
    version: { version: '2026.7.1' },
  };
}

describe('the three shapes of an accepted send', () => {
  test('NOWEB answers the raw object of its engine', () => {
    const body = {
      key: { remoteJid: '15557654321@s.whatsapp.net', fromMe: true, id: '3EB0785ED5B14F01C04FDE' },
      message: { extendedTextMessage: { text: 'hello' } },
      messageTimestamp: '1795226701',
      status: 'PENDING',
    };
    const accepted = { outcome: 'accepted', networkId: '3EB0785ED5B14F01C04FDE', chatId: '15557654321@c.us' };
    expect(answer(201, body)).toEqual(accepted);
  });

  test('GOWS answers an id, whose chat may be the hidden user', () => {
    const accepted = { outcome: 'accepted', networkId: '3EB0AA', chatId: '123456789012345@lid' };
    expect(answer(201, { id: 'true_123456789012345@lid_3EB0AA', _data: { Info: {}, Message: {} } })).toEqual(accepted);
    const group = answer(201, { id: 'true_120363000000000000@g.us_3EB0BB_15551230000@c.us', _data: {} });
    expect(group).toEqual({ outcome: 'accepted', networkId: '3EB0BB', chatId: '120363000000000000@g.us' });
  });

  test('WEBJS answers an id object, whatever it calls its parts', () => {
    const accepted = { outcome: 'accepted', networkId: '3EB0CC', chatId: '15557654321@c.us' };
    const id = { fromMe: true, remote: '15557654321@c.us', id: '3EB0CC', _serialized: 'true_15557654321@c.us_3EB0CC' };
    expect(answer(201, { id, ack: 0, body: 'hello' })).toEqual(accepted);
    expect(answer(201, { id: { fromMe: true, remote: id.remote, id: id.id } })).toEqual(accepted);
    expect(answer(201, { id: { $serialized: id._serialized } })).toEqual(accepted);
    expect(answer(201, { id: { id: '3EB0CC' } })).toEqual(accepted);
  });

  test('an answer that cannot be read is settled with the longest patience, unless the id was chosen before', () => {
    const unknown = { outcome: 'unknown', cause: 'broken_connection', detail: 'unreadable_answer' };
    for (const body of ['', 'ok', '{}', '[]', 'null', '{"id":7}']) expect(answer(201, body)).toEqual(unknown);
    const chosen = { ...asked, networkId: '3EB0DD' };
    const result = classifySend({ kind: 'answer', status: 201, date: null, body: Buffer.from('{}') }, chosen);
    expect(result).toEqual({ outcome: 'accepted', networkId: '3EB0DD', chatId: asked.chatId });
  });
});

describe('the answers that are no success', () => {
  test.each([
    ['a bad key', 401, { message: 'Unauthorized', statusCode: 401 }, 'http_401'],
    ['a key without the scope', 403, { message: 'Forbidden', statusCode: 403 }, 'http_403'],
    ['an unknown route', 404, { message: 'Cannot POST /api/sendText', error: 'Not Found' }, 'http_404'],
    ['a body that does not fit', 400, { message: ['a', 'b'], error: 'Bad Request', statusCode: 400 }, 'http_400'],
    ['no session in the body', 422, { error: 'Session name is required' }, 'http_422'],
    ['an engine without the feature', 501, { message: 'The method is not implemented by' }, 'not_implemented'],
    [
      'a version without the feature',
      422,
      { message: "The feature is available only in Plus version for 'NOWEB' engine.", statusCode: 422 },
      'not_implemented',
    ],
  ])('%s is never repeated', (_title, status, body, detail) => {
    const outcome = { outcome: 'not_sent', retry: 'never', reason: 'backend_refused', detail };
    expect(answer(status, body)).toEqual(outcome);
  });

  test('a session that is unknown or not working waits for it', () => {
    const notReady = { outcome: 'not_sent', retry: 'when_working', reason: 'session_not_ready' };
    const error = 'Session status is not as expected. Try again later or restart the session';
    const body = { error, session: 'default', status: 'FAILED', expected: ['WORKING'] };
    expect(answer(422, body)).toEqual({ ...notReady, detail: 'session_not_working' });
    expect(answer(422, { error })).toEqual({ ...notReady, detail: 'session_not_working' });
    const missing = { error: 'Session "X" does not exist', session: 'X' };
    expect(answer(422, missing)).toEqual({ ...notReady, detail: 'session_unknown' });
    const gone = { message: 'Session not found', error: 'Not Found', statusCode: 404 };
    expect(answer(404, gone)).toEqual({ ...notReady, detail: 'session_unknown' });
    const stopped = { message: "We didn't find a session with name 'X'.\nPlease start it first by using POST …" };
    expect(answer(404, stopped)).toEqual({ ...notReady, detail: 'session_not_working' });
  });

  test('too many requests, told by status, were not sent and may go later', () => {
    expect(answer(429, '')).toMatchObject({ outcome: 'not_sent', retry: 'later', detail: 'rate_limited' });
    expect(answer(408, '')).toMatchObject({ outcome: 'not_sent', retry: 'later', detail: 'http_408' });
  });

  test('a restriction by the network stops instead of repeating', () => {
    const restricted = { outcome: 'restricted', reason: 'restricted', until: null };
    const timelock = { ...restricted, detail: 'reachout_timelock' };
    expect(answer(500, engineFailure('server returned error 463'))).toEqual(timelock);
    expect(answer(500, engineFailure('reachout timelock'))).toEqual(timelock);
    expect(answer(500, engineFailure('new chats are CAPPED'))).toEqual({ ...restricted, detail: 'message_capped' });
    expect(answer(500, engineFailure('account is restricted'))).toMatchObject({ detail: 'account_restricted' });
  });

  test.each([
    ['rate-overlimit', 'rate_limited'],
    ['Timed Out', 'engine_error'],
    ['Message id be in format false_11111111111@c.us_AAAAAAAAAAAAAAAAAAAA[_participant]', 'engine_error'],
  ])('an engine failure (%s) does not prove that nothing was sent', (message, detail) => {
    expect(answer(500, engineFailure(message))).toEqual({ outcome: 'unknown', cause: 'error_answer', detail });
  });

  test.each([
    ['no LID found for 15557654321@s.whatsapp.net from server', 'backend_refused', 'no_hidden_id'],
    ['No LID for user', 'backend_refused', 'no_hidden_id'],
    ['PayloadTooLargeError: request entity too large', 'media_too_large', 'file_too_large'],
  ])('an engine that fails before it sends (%s) is not asked again', (message, reason, detail) => {
    const refused = { outcome: 'not_sent', retry: 'never', reason, detail };
    expect(answer(500, engineFailure(message))).toEqual(refused);
    expect(answer(500, { message })).toMatchObject({ outcome: 'unknown' });
  });

  test('a body too large for a gateway is a file too large', () => {
    const refused = { outcome: 'not_sent', retry: 'never', reason: 'media_too_large', detail: 'http_413' };
    expect(answer(413, '<html>')).toEqual(refused);
  });

  test('words echoed outside of the exception decide nothing', () => {
    expect(answer(500, { message: 'error 463' })).toMatchObject({ outcome: 'unknown', detail: 'engine_error' });
    expect(answer(500, engineFailure('x 15554637777@c.us'))).toMatchObject({ outcome: 'unknown' });
    expect(answer(500, '<html>463</html>')).toMatchObject({ outcome: 'unknown', detail: 'engine_error' });
  });

  test('a gateway that gives up says nothing about the backend behind it', () => {
    expect(answer(504, '')).toEqual({ outcome: 'unknown', cause: 'timeout', detail: 'http_504' });
    expect(answer(502, '')).toEqual({ outcome: 'unknown', cause: 'broken_connection', detail: 'http_502' });
    expect(answer(503, '')).toEqual({ outcome: 'unknown', cause: 'broken_connection', detail: 'http_503' });
    expect(answer(302, '')).toEqual({ outcome: 'unknown', cause: 'error_answer', detail: 'http_302' });
  });
});

describe('no answer at all', () => {
  const causes: FailureCause[] = ['connection_refused', 'connect_timeout', 'dns_error', 'timeout', 'aborted'];

  test.each(causes)('a request that was never written (%s) was not sent', (cause) => {
    const outcome = { outcome: 'not_sent', retry: 'later', reason: 'backend_unavailable', detail: cause };
    expect(classifySend({ kind: 'failure', written: false, cause }, asked)).toEqual(outcome);
  });

  test('a request that was written and broken is unknown', () => {
    const failed = (cause: FailureCause) => classifySend({ kind: 'failure', written: true, cause }, asked);
    expect(failed('timeout')).toEqual({ outcome: 'unknown', cause: 'timeout', detail: 'timeout' });
    const broken = { outcome: 'unknown', cause: 'broken_connection' };
    expect(failed('connection_broken')).toEqual({ ...broken, detail: 'connection_broken' });
    expect(failed('aborted')).toEqual({ ...broken, detail: 'aborted' });
  });
});
