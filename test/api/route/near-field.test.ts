import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { fieldsAt } from '../../../api/route/parse-input.ts';
import { unknownName } from '../../../api/route/near-field.ts';
import { parseInput } from '../../../api/route/parse-input.ts';
import { SendButtons, SendMessage } from '../../../domain/sending/send.ts';

const ofSend = fieldsAt(SendMessage, []);

describe('a field that a request does not take', () => {
  it.each([
    ['txt', 'text'],
    ['Text', 'text'],
    ['message', 'text'],
    ['send_at', 'sendAt'],
    ['sendat', 'sendAt'],
    ['recipient', 'to'],
    ['attachment', 'attachments'],
    ['tennantId', 'tenantId'],
  ])('%s is answered with the field that was probably meant: %s', (given, meant) => {
    expect(unknownName(given, ofSend)).toBe(`is not a field of this request. Did you mean "${meant}"?`);
  });

  it.each(['colour', 'x', '__proto__', 'constructor', 'a'.repeat(5_000)])('%s is near to none', (given) => {
    expect(unknownName(given, ofSend)).toBe('is not a field of this request.');
  });

  it('is looked for among the fields of its own place', () => {
    expect(fieldsAt(SendButtons, ['buttons', 0])).toEqual(['type', 'text', 'id', 'url']);
    expect(fieldsAt(SendMessage, ['attachments', 3])).toContain('fileName');
    expect(fieldsAt(SendMessage, ['text', 'inner'])).toEqual([]);
  });
});

describe('a parameter that a query does not take', () => {
  const known = ['tenantId', 'limit', 'unread', 'session', 'q'];

  it.each([
    ['limt', 'limit'],
    ['unred', 'unread'],
    ['tenant_id', 'tenantId'],
    ['sessionId', 'session'],
  ])('%s is answered with the parameter that was probably meant: %s', (name, meant) => {
    expect(unknownName(name, known, 'parameter')).toBe(`is not a parameter of this request. Did you mean "${meant}"?`);
  });

  it.each(['utm_source', 'v', 'cb', 'fbclid', 'constructor'])('%s is near to none', (name) => {
    expect(unknownName(name, known, 'parameter')).toBe('is not a parameter of this request.');
  });

  it('is named with its pointer, beside what else is wrong', () => {
    const query = z.object({ limit: z.coerce.number().int().default(20), unread: z.stringbool().optional() });
    const refusal = (): unknown =>
      parseInput('tenant', { query }, { params: {}, query: { limt: '1', unread: 'x' }, body: undefined });
    expect(refusal).toThrow(
      expect.objectContaining({
        fields: [
          { pointer: 'query/unread', message: expect.any(String) },
          { pointer: 'query/limt', message: 'is not a parameter of this request. Did you mean "limit"?' },
        ],
      }),
    );
    expect(parseInput('tenant', { query }, { params: {}, query: { _: '1' }, body: undefined }).query).toEqual({
      limit: 20,
    });
  });
});
