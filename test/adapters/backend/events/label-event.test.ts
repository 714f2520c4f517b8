import { describe, expect, it } from '@jest/globals';
import { BACKEND_EVENTS, parseBackendEvent } from '../../../../adapters/backend/events/events.ts';
import { envelope } from './contract-payloads.ts';

const LEAD = { id: '1', name: 'Lead', color: 1, colorHex: '#64c4ff' };

function eventOf(name: string, payload: unknown, over: Record<string, unknown> = {}) {
  const parsed = parseBackendEvent(envelope(name, payload, { timestamp: 1_795_302_703_087, ...over }));
  if (parsed.outcome !== 'parsed') throw new Error(`unparseable: ${parsed.reason}`);
  return parsed.event;
}

describe('reports of labels', () => {
  it.each([
    ['label.upsert', false],
    ['label.deleted', true],
  ])('%s tells of a label of the account', (name, isDeleted) => {
    const at = 1_795_302_703_087;
    expect(eventOf(name, LEAD)).toMatchObject({ kind: 'label', at, label: LEAD, isDeleted });
  });

  it.each([
    ['label.chat.added', true],
    ['label.chat.deleted', false],
  ])('%s tells of a label of a chat, in the canonical form of its address', (name, isSet) => {
    const payload = { labelId: '7', chatId: '15557654321@s.whatsapp.net', label: { ...LEAD, id: '7' } };
    const chat = { kind: 'chat_label', chatId: '15557654321@c.us', labelId: '7', isSet };
    expect(eventOf(name, payload)).toMatchObject({ ...chat, label: { id: '7', name: 'Lead' } });
    expect(eventOf(name, { ...payload, label: null })).toMatchObject({ ...chat, label: null });
  });

  it('a report without a time counts when it comes, and ids may be numbers', () => {
    expect(eventOf('label.upsert', { id: 3 }, { timestamp: null })).toMatchObject({
      at: 0,
      label: { id: '3', name: null, color: null, colorHex: null },
    });
  });

  it.each([
    ['label.upsert', { name: 'Nameless' }],
    ['label.chat.added', { labelId: '7', chatId: 'nowhere' }],
    ['label.chat.deleted', null],
  ])('%s of something odd is ignored: %j', (name, payload) => {
    expect(eventOf(name, payload)).toMatchObject({ kind: 'ignored' });
  });

  it('are asked for', () => {
    expect(BACKEND_EVENTS).toEqual(
      expect.arrayContaining(['label.upsert', 'label.deleted', 'label.chat.added', 'label.chat.deleted']),
    );
  });
});
