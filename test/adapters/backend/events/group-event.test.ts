import { describe, expect, it } from '@jest/globals';
import {
  BACKEND_EVENTS,
  FORMER_BACKEND_EVENTS,
  parseBackendEvent,
} from '../../../../adapters/backend/events/events.ts';
import { envelope } from './contract-payloads.ts';

const GROUP = '120363000000000000@g.us';
const AT = 1_795_303_824_074;
const ANNA = { id: '123456789012345@lid', pn: '15559990000@s.whatsapp.net', role: 'admin' };
const BEN = { id: '15557654321@c.us', role: 'participant' };

function eventOf(name: string, payload: unknown, over: Record<string, unknown> = {}) {
  const parsed = parseBackendEvent(envelope(name, payload, { timestamp: AT, ...over }));
  if (parsed.outcome !== 'parsed') throw new Error(`unparseable: ${parsed.reason}`);
  return parsed.event;
}

describe('reports of groups', () => {
  it('group.v2.join tells the name of the group and who is in it', () => {
    const group = { id: GROUP, subject: 'Team', participants: [ANNA, BEN, { id: 'nobody', role: 'admin' }] };
    expect(eventOf('group.v2.join', { timestamp: AT, group, _data: {} })).toMatchObject({
      kind: 'group',
      at: AT,
      chatId: GROUP,
      change: {
        kind: 'joined',
        name: 'Team',
        members: [
          { chatId: '123456789012345@lid', phoneChatId: '15559990000@c.us', role: 'admin' },
          { chatId: '15557654321@c.us', phoneChatId: null, role: 'participant' },
        ],
      },
    });
    const bare = { group: { id: GROUP } };
    expect(eventOf('group.v2.join', bare)).toMatchObject({ change: { kind: 'joined', name: null, members: null } });
  });

  it('group.v2.leave tells that the account has left, and group.v2.update the new name', () => {
    expect(eventOf('group.v2.leave', { group: { id: GROUP } })).toMatchObject({ change: { kind: 'left' } });
    const renamed = { group: { id: GROUP, subject: 'Sales' } };
    expect(eventOf('group.v2.update', renamed)).toMatchObject({ change: { kind: 'named', name: 'Sales' } });
  });

  it.each([
    ['join', 'came'],
    ['leave', 'gone'],
    ['promote', 'promoted'],
    ['demote', 'demoted'],
  ])('group.v2.participants of type %s tells who, those who have left with them', (type, kind) => {
    const payload = { type, group: { id: GROUP }, participants: [{ ...BEN, role: 'left' }], _data: {} };
    expect(eventOf('group.v2.participants', payload)).toMatchObject({
      change: { kind, members: [{ chatId: BEN.id, role: 'participant' }] },
    });
  });

  it.each([
    ['group.v2.join', { group: { id: '15557654321@c.us', subject: 'A person' } }],
    ['group.v2.leave', null],
    ['group.v2.update', { group: { id: GROUP, description: 'Only a text has changed' } }],
    ['group.v2.participants', { type: 'request', group: { id: GROUP }, participants: [BEN] }],
    ['group.v2.participants', { type: 'join', group: { id: GROUP } }],
  ])('%s of something odd, or of no group, is ignored: %j', (name, payload) => {
    expect(eventOf(name, payload)).toMatchObject({ kind: 'ignored' });
  });

  it('are asked for, but a running session that was made without them is not restarted for them', () => {
    const reports = ['group.v2.join', 'group.v2.leave', 'group.v2.participants', 'group.v2.update'];
    expect(BACKEND_EVENTS).toEqual(expect.arrayContaining(reports));
    expect(FORMER_BACKEND_EVENTS.filter((name) => name.startsWith('group.'))).toEqual([]);
  });
});
