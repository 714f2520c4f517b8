import { z } from 'zod';
import type { Http } from '../http/http.ts';
import { answerTo, parseAnswer, read } from '../http/read.ts';
import { Text } from '../events/raw.ts';

/** The public profile of an account. */
interface Profile {
  name: string | null;
  /** The network's address of the picture, which works for some days; null where there is none. */
  pictureUrl: string | null;
}

const RawProfile = z.object({ name: Text, picture: Text });
const RawAbout = z.object({ about: Text });
const RawDone = z.object({ success: z.literal(true) });

/** The picture goes up to the network before the backend answers. */
const PICTURE_TIMEOUT_MS = 60_000;

/** Reads and changes the own account's profile (`docs/extend/backend.md#profile`). */
export function createProfileCalls(http: Http, timeoutMs: number) {
  async function readProfile(session: string): Promise<Profile> {
    const doing = 'read the profile';
    const { name, picture } = await read(http, RawProfile, { method: 'GET', path: pathOf(session), timeoutMs, doing });
    return { name, pictureUrl: picture };
  }

  /** Reads the account's about text; null where it has none or the network does not tell. */
  async function readAbout({ session, chatId }: { session: string; chatId: string }): Promise<string | null> {
    const doing = 'read the about text';
    const query = { session, contactId: chatId };
    const answer = await answerTo(http, { method: 'GET', path: '/api/contacts/about', query, timeoutMs, doing });
    // The backend may be an older version than the one that was asked what it can.
    if (answer.status === 501) return null;
    const { about } = parseAnswer(answer, RawAbout, doing);
    return about === '' ? null : about;
  }

  async function setProfileName(session: string, name: string): Promise<void> {
    await change(session, { part: 'name', body: { name }, doing: 'change the name' });
  }

  async function setAbout(session: string, about: string): Promise<void> {
    await change(session, { part: 'status', body: { status: about }, doing: 'change the about text' });
  }

  async function setPicture(session: string, picture: { data: Buffer; mimeType: string }): Promise<void> {
    const answer = await answerTo(http, {
      method: 'PUT',
      path: `${pathOf(session)}/picture`,
      body: {},
      file: { data: picture.data, about: { mimetype: picture.mimeType } },
      timeoutMs: PICTURE_TIMEOUT_MS,
      doing: 'set the picture',
    });
    parseAnswer(answer, RawDone, 'set the picture');
  }

  async function deletePicture(session: string): Promise<void> {
    const doing = 'delete the picture';
    await read(http, RawDone, { method: 'DELETE', path: `${pathOf(session)}/picture`, timeoutMs, doing });
  }

  async function change(
    session: string,
    { part, body, doing }: { part: string; body: Record<string, unknown>; doing: string },
  ): Promise<void> {
    await read(http, RawDone, { method: 'PUT', path: `${pathOf(session)}/${part}`, body, timeoutMs, doing });
  }

  return { readProfile, readAbout, setProfileName, setAbout, setPicture, deletePicture };
}

function pathOf(session: string): string {
  return `/api/${encodeURIComponent(session)}/profile`;
}
