import { describe, expect, it } from '@jest/globals';
import { auditOf, AUDITED_CHATS, sampleOf } from '../../../domain/sessions/audit.ts';

const HOUR_MS = 3_600_000;
const EVERY_MS = 24 * HOUR_MS;
const NOW = new Date('2026-03-01T12:00:00Z');
const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);
const session = {
  status: 'WORKING',
  statusChangedAt: ago(30),
  wish: 'running',
  auditedAt: null,
  toldSince: null,
} as const;

describe('an audit', () => {
  it('is due a day after the session began to work, and a day after the last one', () => {
    expect(auditOf(session, NOW, EVERY_MS)).toEqual({ from: ago(30), to: ago(1 / 12) });
    expect(auditOf({ ...session, statusChangedAt: ago(20) }, NOW, EVERY_MS)).toBeNull();
    expect(auditOf({ ...session, auditedAt: ago(20) }, NOW, EVERY_MS)).toBeNull();
    const later = { ...session, auditedAt: ago(24), toldSince: ago(90) };
    expect(auditOf(later, NOW, EVERY_MS)).toMatchObject({ from: ago(90) });
  });

  it.each([{ status: 'FAILED' }, { wish: 'stopped' as const }])('is never due of a session with %j', (other) => {
    expect(auditOf({ ...session, ...other }, NOW, EVERY_MS)).toBeNull();
  });

  it('is never due where the operator wants none', () => {
    expect(auditOf(session, NOW, 0)).toBeNull();
  });

  it('compares some chats, the same ones after a kill, and others the next time', () => {
    const chats = Array.from({ length: 100 }, (_, place) => ({ chatId: `1555${place}@c.us` }));
    expect(sampleOf(chats, 'gap_1')).toHaveLength(AUDITED_CHATS);
    expect(sampleOf(chats.toReversed(), 'gap_1')).toEqual(sampleOf(chats, 'gap_1'));
    expect(sampleOf(chats, 'gap_2')).not.toEqual(sampleOf(chats, 'gap_1'));
  });
});
