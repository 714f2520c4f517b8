import { findNumberContext } from '../../../db/tenants/tenant.ts';
import type { Session } from '../../../db/sessions/session.ts';
import { invalid } from '../../../domain/error.ts';
import { chatIdOfPhone } from '../../../domain/network/chat-id.ts';
import { requireCapability } from '../../../domain/network/capabilities.ts';
import { SCAN_QR_CODE } from '../../../domain/sessions/session.ts';
import type { ApiDeps } from '../../deps.ts';
import { looksLikePhone, readPhone } from '../../sending/phone.ts';
import { enter } from '../../wire/doors.ts';
import { doorOf } from '../at-backend.ts';
import { notReady } from '../readiness.ts';
import { requireOursAtBackend } from '../session-in-scope.ts';

const PLACE_WAIT_MS = 1_000;

/** Asks the network for a code that connects this phone, and says how the number was understood. */
export async function pairingCodeFor(
  session: Session,
  phone: string,
  { database, backends, qrReads }: Pick<ApiDeps, 'database' | 'backends' | 'qrReads'>,
): Promise<{ code: string; phone: string }> {
  requireCapability('pairingCode', session.platform ?? null);
  if (session.status !== SCAN_QR_CODE) throw notReady(session);
  requireOursAtBackend(session);
  const { country } = await database.read((queries) => findNumberContext(queries, session, chatIdOfPhone(phone)));
  const read = looksLikePhone(phone) ? readPhone(phone, country) : { problem: 'impossible' };
  if (!('digits' in read)) {
    const wrong = { pointer: '/phone', message: 'is not a phone number in use' };
    throw invalid(wrong, 'Write the number with + and its country code, as in +5511912345678.');
  }
  // Each call may hold a connection to the backend for seconds.
  const leave = await enter([doorOf(qrReads, session)], PLACE_WAIT_MS);
  try {
    return {
      code: await backends.of(session).requestPairingCode({ session: session.name, phone: read.digits }),
      phone: read.digits,
    };
  } finally {
    leave();
  }
}
