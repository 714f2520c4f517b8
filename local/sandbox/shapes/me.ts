import type { Session } from '../state/session.ts';

/** Makes `me` of a session, which is null until the session has logged in, and again from each start until it works. */
export function meOf(session: Session) {
  const { account } = session;
  if (!account || !session.linked || !session.knowsItself) return null;
  const restricted = session.restrictedUntil > Date.now();
  return {
    id: account.id,
    pushName: account.pushName,
    lid: account.lid,
    jid: account.id.replace('@c.us', ':7@s.whatsapp.net'),
    reachoutTimelock: restricted
      ? {
          enforcementType: 'RESTRICT_ALL_COMPANIONS',
          isActive: true,
          timeEnforcementEnds: Math.floor(session.restrictedUntil / 1000),
        }
      : null,
    messageCapping: session.capping,
  };
}
