import { activityInfo, heartbeat } from '@temporalio/activity';
import { z } from 'zod';
import type { CallsOf } from '../../adapters/backend/backends.ts';
import type { Database } from '../../db/engine/database.ts';
import { ensureContact, finishContactSync as recordEnd, syncContactPage } from '../../db/network/sync-contacts.ts';
import type { Account } from '../../db/conversations/known-contact.ts';
import { lockSessionEvents } from '../../db/sessions/lock-events.ts';
import { withoutErasedPeople } from '../../db/personal-data/erased-address.ts';
import { findSessionById } from '../../db/sessions/session.ts';
import type { Session } from '../../db/sessions/session.ts';
import type { NetworkContact } from '../../domain/network/network-event.ts';

export type ContactActivities = ReturnType<typeof createContactActivities>;

/** The sync asks for this many contacts at a time, and writes them in one statement. */
const CONTACTS_PER_PAGE = 500;
/** One activity reads this many pages, so that the workflow shows how far it is. */
const PAGES_PER_READ = 10;

/** Tells how far an earlier attempt has written. */
const Progress = z.object({ from: z.int().min(0), contacts: z.int(), changed: z.int() });

interface ContactDependencies {
  database: Pick<Database, 'read' | 'transaction' | 'clock'>;
  backends: CallsOf<'listContacts'>;
}

export function createContactActivities({ database, backends }: ContactDependencies) {
  /**
   * Writes some pages of the account's list of contacts into rows, from a place on; `next` is the place where it goes
   * on, null at the end of the list. Returns numbers only, because names must not stand in Temporal's history. Safe to
   * repeat: only what differs is written, and a later attempt goes on after the last page that was written.
   * Rows: contact.
   */
  async function syncContactPages(asked: {
    sessionId: string;
    from: number;
  }): Promise<{ contacts: number; changed: number; next: number | null }> {
    const found = await database.read((queries) => findSessionById(queries, asked.sessionId));
    const session = found?.wish === 'deleted' ? null : found;
    const begun = Progress.safeParse(activityInfo().heartbeatDetails);
    const progress = begun.success ? begun.data : { from: asked.from, contacts: 0, changed: 0 };
    const end = asked.from + PAGES_PER_READ * CONTACTS_PER_PAGE;
    while (session && progress.from < end) {
      heartbeat(progress);
      // Whatever somebody decides from here on is newer than the page.
      const readAt = database.clock.now();
      const page = { session: session.name, limit: CONTACTS_PER_PAGE, offset: progress.from };
      const listed = await backends.of(session).listContacts(page);
      const people = listed.filter((contact) => contact !== null);
      const contacts = people.filter(({ chatId }) => chatId !== session.chatId && chatId !== session.lid);
      progress.changed += await writePage(session, contacts, readAt);
      progress.contacts += contacts.length;
      progress.from += listed.length;
      if (listed.length < CONTACTS_PER_PAGE) return told(progress, null);
    }
    return told(progress, session ? progress.from : null);
  }

  /**
   * Writes a page, and then one by one those whose addresses make contacts one. Each of these has a transaction of its
   * own, because a merge locks the conversations of both. Dashboards are not told of the first reading.
   */
  async function writePage(session: Session, contacts: readonly NetworkContact[], readAt: Date): Promise<number> {
    const account: Account = { agencyId: session.agencyId, tenantId: session.tenantId, sessionId: session.id };
    const tells = session.contactsSyncedAt !== null;
    const { changed, left } = await database.transaction(async (tx) => {
      // An erasure takes this lock, so nobody is written who was erased after the look at who was.
      await lockSessionEvents(tx, session.name);
      return syncContactPage(tx, account, { contacts, readAt, tells });
    });
    let changedAlone = 0;
    for (const contact of left) {
      const addresses = [contact.chatId, ...(contact.lid === null ? [] : [contact.lid])];
      changedAlone += await database.transaction(async (tx) => {
        await lockSessionEvents(tx, session.name);
        const there = await withoutErasedPeople(tx, account, [addresses], (each) => each);
        if (there.length === 0) return 0;
        await ensureContact(tx, account, addresses);
        // By now the hidden id is this contact's, or an operator has said that it is somebody else's.
        const contacts = [{ ...contact, lid: null }];
        const alone = await syncContactPage(tx, account, { contacts, readAt, tells });
        return alone.changed;
      });
    }
    return changed + changedAlone;
  }

  /** Records that the list was read to its end, and wakes who waits for it. Safe to repeat. Rows: session. */
  async function finishContactSync({ sessionId }: { sessionId: string }): Promise<void> {
    const session = await database.read((queries) => findSessionById(queries, sessionId));
    if (!session) return;
    const { agencyId, tenantId } = session;
    await database.transaction((tx) => recordEnd(tx, { agencyId, tenantId, sessionId }));
  }

  return { syncContactPages, finishContactSync };
}

function told({ contacts, changed }: z.infer<typeof Progress>, next: number | null) {
  return { contacts, changed, next };
}
