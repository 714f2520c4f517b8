import { createHash } from 'node:crypto';
import { heartbeat } from '@temporalio/activity';
import type { CallsOf } from '../../adapters/backend/backends.ts';
import {
  findPictured,
  listUnpictured,
  notePictureAsked,
  recordAccountPicture,
  recordPicture,
} from '../../db/conversations/picture.ts';
import type { Picture } from '../../db/conversations/picture.ts';
import type { Account } from '../../db/conversations/known-contact.ts';
import { findSessionById } from '../../db/sessions/session.ts';
import type { Session } from '../../db/sessions/session.ts';
import { EngineError } from '../../domain/error.ts';
import { checkMedia, mediaKey } from '../../domain/sending/media.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { Egress } from '../../adapters/egress/egress.ts';

export type PictureActivities = ReturnType<typeof createPictureActivities>;

/** A sync fetches at most this many pictures, because each is a question that the network counts. */
const MAX_PICTURES_PER_SYNC = 20;
/** A picture that was asked for lately is not asked for again by a sync. */
const ASK_AGAIN_AFTER_MS = 7 * 24 * 60 * 60_000;
const FETCH_WITHIN_MS = 15_000;
/** The network's pictures have at most some hundred kilobytes. */
const MAX_PICTURE_BYTES = 2 * 1_048_576;

interface PictureDependencies extends Pick<ActivityDependencies, 'database' | 'media'> {
  backends: CallsOf<'findPicture' | 'getFile' | 'readProfile'>;
  egress: Pick<Egress, 'get'>;
}

export function createPictureActivities({ database, backends, egress, media }: PictureDependencies) {
  /**
   * Fetches the picture of one contact and stores it; returns how many there are: one or none. Safe to repeat: a file is
   * stored under its own digest. Rows: contact.
   */
  async function fetchPicture({ sessionId, contactId }: { sessionId: string; contactId: string }): Promise<number> {
    const session = await database.read((queries) => findSessionById(queries, sessionId));
    if (!session) return 0;
    const account = accountOf(session);
    const chatId = await database.read((queries) => findPictured(queries, account, contactId));
    if (chatId === null) return 0;
    const url = await backends.of(session).findPicture({ session: session.name, chatId });
    const picture = url === null ? null : await store(session, url);
    // A picture that cannot be fetched now leaves the one that is stored.
    const isLost = url !== null && picture === null;
    await database.transaction((tx) =>
      isLost ? notePictureAsked(tx, account, contactId) : recordPicture(tx, account, { contactId, picture }),
    );
    return picture === null ? 0 : 1;
  }

  /**
   * Fetches the picture of the account itself and stores it; returns how many there are: one or none. Safe to repeat, as
   * above. Rows: session.
   */
  async function fetchOwnPicture({ sessionId }: { sessionId: string }): Promise<number> {
    const session = await database.read((queries) => findSessionById(queries, sessionId));
    if (!session || session.wish === 'deleted') return 0;
    const { pictureUrl } = await backends.of(session).readProfile(session.name);
    const picture = pictureUrl === null ? null : ((await store(session, pictureUrl)) ?? 'unknown');
    await database.statement((tx) => recordAccountPicture(tx, sessionId, picture));
    return picture === null || picture === 'unknown' ? 0 : 1;
  }

  /**
   * Fetches the pictures of those whom the account has talked with last and whose picture was not asked for lately, a
   * bounded number of them. The rest of them is left to the next sync where the backend refuses one. Rows: contact.
   */
  async function fetchPictures({ sessionId }: { sessionId: string }): Promise<number> {
    const session = await database.read((queries) => findSessionById(queries, sessionId));
    if (!session || session.wish === 'deleted') return 0;
    const since = new Date(database.clock.now().getTime() - ASK_AGAIN_AFTER_MS);
    const wanted = await database.read((queries) =>
      listUnpictured(queries, accountOf(session), { since, limit: MAX_PICTURES_PER_SYNC }),
    );
    let fetched = 0;
    for (const contactId of wanted) {
      heartbeat();
      try {
        fetched += await fetchPicture({ sessionId, contactId });
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        break;
      }
    }
    return fetched;
  }

  /** Stores the file under its digest; null when it cannot be fetched or is no picture. */
  async function store(session: Session, url: string): Promise<Picture | null> {
    const bytes = await bytesOf(session, url);
    if (bytes === null) return null;
    const checked = checkMedia('image', bytes, { byTenant: null, byServer: null });
    if ('refused' in checked) return null;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const key = mediaKey(session.agencyId, sha256);
    await media.store.put(key, bytes, checked.mimeType);
    return { key, sizeBytes: bytes.length, sha256, mimeType: checked.mimeType };
  }

  /** Some backends keep pictures themselves; those of the network are fetched through the guarded egress. */
  async function bytesOf(session: Session, url: string): Promise<Buffer | null> {
    const signal = AbortSignal.timeout(FETCH_WITHIN_MS);
    const file = { url, maxBytes: MAX_PICTURE_BYTES, timeoutMs: FETCH_WITHIN_MS, signal };
    const kept = await backends.of(session).getFile(file);
    if (kept !== null) return kept;
    const download = await egress.get({ url, timeoutMs: FETCH_WITHIN_MS, maxBytes: MAX_PICTURE_BYTES });
    return download.outcome === 'done' ? download.file.bytes : null;
  }

  return { fetchPicture, fetchOwnPicture, fetchPictures };
}

function accountOf({ agencyId, tenantId, id }: Session): Account {
  return { agencyId, tenantId, sessionId: id };
}
