import { proxyActivities } from '@temporalio/workflow';
import { TASK_QUEUES } from '../../domain/names.ts';
import { OWN_PICTURE } from '../../domain/network/contact-list.ts';
import type { ContactActivities } from '../../activities/sessions/contacts.ts';
import type { PictureActivities } from '../../activities/sessions/pictures.ts';
import { withPatience } from './patience.ts';
import { readingStory } from './reading-story.ts';

const { syncContactPages, finishContactSync, fetchPictures } = proxyActivities<ContactActivities & PictureActivities>({
  taskQueue: TASK_QUEUES.sync,
  startToCloseTimeout: '5 m',
  heartbeatTimeout: '60 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s', maximumAttempts: 5 },
});
/** A reader waits for this one, for some seconds. */
const { fetchPicture, fetchOwnPicture } = proxyActivities<PictureActivities>({
  taskQueue: TASK_QUEUES.sync,
  startToCloseTimeout: '60 s',
  retry: { initialInterval: '1 s', maximumAttempts: 2 },
});

export interface ContactSyncProgress {
  /** Counts the contacts that were read, and the changed ones among them. */
  contacts: number;
  changed: number;
  pictures: number;
  /** Why the list was not read to its end in a day; the next reader of the list asks for it again. */
  gaveUp?: string;
}

/**
 * Reads the account's list of contacts into our rows, some pages at a time, and then some pictures of those whom the
 * account has talked with last. Unchanged contacts are not written. While the backend or the session is away it waits.
 * For a reader who waits it fetches the picture of one contact, or the account's own.
 * Rows: session, contact.
 */
export async function syncContacts(sessionId: string, contactId: string | null = null): Promise<ContactSyncProgress> {
  const { progress, tell, wait } = readingStory<ContactSyncProgress>(
    { contacts: 0, changed: 0, pictures: 0 },
    {
      state: 'How far the reading of the contacts is: where, how many, and what it waits for.',
      describe: ({ contacts, changed, pictures }) =>
        `${contacts} contacts, ${changed} of them changed, ${pictures} pictures`,
    },
  );
  if (contactId !== null) {
    tell('fetches a picture');
    progress.pictures =
      contactId === OWN_PICTURE ? await fetchOwnPicture({ sessionId }) : await fetchPicture({ sessionId, contactId });
    return progress;
  }
  for (let from: number | null = 0; from !== null;) {
    const place: number = from;
    tell(`reads from contact ${place + 1} on`);
    const found = await withPatience(() => syncContactPages({ sessionId, from: place }), wait);
    if (!found.done) return { ...progress, gaveUp: found.cause };
    progress.contacts += found.value.contacts;
    progress.changed += found.value.changed;
    from = found.value.next;
  }
  await finishContactSync({ sessionId });
  tell('fetches pictures');
  progress.pictures = await fetchPictures({ sessionId });
  tell('done');
  return progress;
}
