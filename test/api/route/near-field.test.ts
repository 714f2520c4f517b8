import { describe, expect, it } from '@jest/globals';
import { fieldsAt } from '../../../api/route/fields-at.ts';
import { unknownField } from '../../../api/route/near-field.ts';
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
    expect(unknownField(given, ofSend)).toBe(`is not a field of this request. Did you mean "${meant}"?`);
  });

  it.each(['colour', 'x', '__proto__', 'constructor', 'a'.repeat(5_000)])('%s is near to none', (given) => {
    expect(unknownField(given, ofSend)).toBe('is not a field of this request.');
  });

  it('is looked for among the fields of its own place', () => {
    expect(fieldsAt(SendButtons, ['buttons', 0])).toEqual(['type', 'text', 'id', 'url']);
    expect(fieldsAt(SendMessage, ['attachments', 3])).toContain('fileName');
    expect(fieldsAt(SendMessage, ['text', 'inner'])).toEqual([]);
  });
});
