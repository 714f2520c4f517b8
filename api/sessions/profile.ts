import type { z } from 'zod';
import { forgetAccountPicture } from '../../db/conversations/picture.ts';
import { recordPushName } from '../../db/sessions/session.ts';
import { EngineError, invalid } from '../../domain/error.ts';
import { requireCapability } from '../../domain/network/capabilities.ts';
import type { CapabilityName } from '../../domain/network/capabilities.ts';
import {
  ProfileAboutSet,
  ProfileNameSet,
  ProfilePictureSet,
  ProfileView,
  SetProfileAbout,
  SetProfileName,
  SetProfilePicture,
} from '../../domain/profile.ts';
import type { Scope } from '../../domain/scope.ts';
import { sniffType } from '../../domain/sending/media-signature.ts';
import type { Session } from '../../db/sessions/session.ts';
import { awaitOwnPicture } from './await-contacts.ts';
import { endOf } from '../../domain/network/ends.ts';
import { defineRoute } from '../deps.ts';
import type { ApiDeps } from '../deps.ts';
import { enter } from '../wire/doors.ts';
import { AT_BACKEND_ERRORS, IF_ABLE_ERRORS, atBackend, isAble } from './at-backend.ts';
import { requireWorking } from './readiness.ts';
import { sessionInScope } from './session-in-scope.ts';
import { SessionFirst, SessionPath, SessionQuery } from './session-path.ts';

const PICTURE_TYPES = ['image/jpeg', 'image/png'];
const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
const PICTURE_WAIT_MS = 1_000;

const PROFILE_TEXT =
  'Returns the profile of the account. It is read from the network, so the session must be connected.\n\n' +
  'If the picture was not fetched in the last hour, the request waits for it up to five seconds.';

const reads = {
  cost: 2,
  scope: 'read',
  reply: ProfileView,
  errors: [...AT_BACKEND_ERRORS],
} as const;
const changes = {
  cost: 5,
  scope: 'sessions',
  errors: [...IF_ABLE_ERRORS],
} as const;

export const profileRoutes = [
  defineRoute({
    ...reads,
    method: 'GET',
    path: '/api/v1/sessions/me/profile',
    takesUnknownTenant: true,
    auth: 'tenant',
    operationId: 'sessions.readOwnProfile',
    summary: "Retrieve the profile of the key's session",
    description: PROFILE_TEXT,
    query: SessionQuery,
    errors: [...reads.errors],
    handle: ({ scope, query, request }, deps) =>
      readProfile(scope, { named: query.session, signal: request.signal }, deps),
  }),

  defineRoute({
    ...reads,
    method: 'GET',
    path: '/api/v1/sessions/:id/profile',
    auth: 'tenant',
    operationId: 'sessions.readProfile',
    summary: 'Retrieve the profile of a session',
    description: PROFILE_TEXT,
    params: SessionPath,
    errors: [...reads.errors],
    handle: ({ scope, params, request }, deps) =>
      readProfile(scope, { named: params.id, signal: request.signal }, deps),
  }),

  defineRoute({
    ...changes,
    method: 'POST',
    path: '/api/v1/:session/profile/name',
    auth: 'tenant',
    operationId: 'sessions.setProfileName',
    summary: "Change the account's name",
    params: SessionFirst,
    body: SetProfileName,
    reply: ProfileNameSet,
    errors: [...changes.errors],
    async handle({ scope, params, body: { name } }, deps) {
      const session = await accountIn(scope, params.session, { deps, needs: 'profileName' });
      await atBackend(session, deps, (backend) => backend.setProfileName(session.name, name));
      // The backend tells no event of it.
      await deps.database.statement((tx) => recordPushName(tx, session.id, name));
      return { success: true as const, name };
    },
  }),

  defineRoute({
    ...changes,
    method: 'POST',
    path: '/api/v1/:session/profile/about',
    auth: 'tenant',
    operationId: 'sessions.setProfileAbout',
    summary: "Change the account's about text",
    params: SessionFirst,
    body: SetProfileAbout,
    reply: ProfileAboutSet,
    errors: [...changes.errors],
    async handle({ scope, params, body: { about } }, deps) {
      const session = await accountIn(scope, params.session, { deps, needs: 'profileAbout' });
      await atBackend(session, deps, (backend) => backend.setAbout(session.name, about));
      return { success: true as const, about };
    },
  }),

  defineRoute({
    ...changes,
    method: 'PUT',
    path: '/api/v1/sessions/:id/profile/picture',
    auth: 'tenant',
    operationId: 'sessions.setProfilePicture',
    summary: "Change the account's picture",
    description: 'Sets the picture. It is fetched through the same guards as attachments, and may have at most 5 MiB.',
    params: SessionPath,
    body: SetProfilePicture,
    reply: ProfilePictureSet,
    errors: [...changes.errors, 'media_unavailable'],
    async handle({ scope, params, body }, deps) {
      const session = await accountIn(scope, params.id, { deps, needs: 'profilePicture' });
      const picture = await pictureOf(scope, body, deps);
      await atBackend(session, deps, (backend) => backend.setPicture(session.name, picture));
      await deps.database.statement((tx) => forgetAccountPicture(tx, session.id));
      return { success: true as const };
    },
  }),

  defineRoute({
    ...changes,
    method: 'DELETE',
    path: '/api/v1/sessions/:id/profile/picture',
    auth: 'tenant',
    operationId: 'sessions.deleteProfilePicture',
    summary: "Delete the account's picture",
    params: SessionPath,
    reply: ProfilePictureSet,
    errors: [...changes.errors],
    async handle({ scope, params }, deps) {
      const session = await accountIn(scope, params.id, { deps, needs: 'profilePicture' });
      await atBackend(session, deps, (backend) => backend.deletePicture(session.name));
      await deps.database.statement((tx) => forgetAccountPicture(tx, session.id));
      return { success: true as const };
    },
  }),
];

async function readProfile(
  scope: Scope,
  { named, signal }: { named: string | undefined; signal: AbortSignal },
  deps: ApiDeps,
): Promise<z.input<typeof ProfileView>> {
  const session = await sessionInScope(deps.database, scope, named);
  requireWorking(session);
  const { id, name, status, chatId = null, pushName = null } = session;
  const readable = chatId !== null && (await isAble('readAbout', session, deps));
  const [profile, about] = await atBackend(session, deps, (backend) =>
    Promise.all([backend.readProfile(name), readable ? backend.readAbout({ session: name, chatId }) : null]),
  );
  const hasPicture = profile.pictureUrl !== null && (await awaitOwnPicture(deps, { sessionId: id, signal }));
  return {
    sessionId: id,
    status,
    name: profile.name ?? pushName,
    about,
    picture: hasPicture ? deps.mediaLinks.urlOf(id) : null,
    phone: chatId === null ? null : endOf(chatId),
    chatId,
  };
}

/** Finds the session whose account is to be changed, or says why that cannot be. */
async function accountIn(
  scope: Scope,
  named: string,
  { deps: { database }, needs }: { deps: ApiDeps; needs: CapabilityName },
): Promise<Session> {
  const session = await sessionInScope(database, scope, named);
  requireCapability(needs, session.platform ?? null);
  requireWorking(session);
  return session;
}

async function pictureOf(
  scope: Scope,
  { url, data }: z.output<typeof SetProfilePicture>,
  deps: ApiDeps,
): Promise<{ data: Buffer; mimeType: string }> {
  if ((url === undefined) === (data === undefined)) {
    throw invalid({ pointer: '/url', message: 'is required without data, and not allowed with it' });
  }
  const pointer = url === undefined ? '/data' : '/url';
  const bytes = url === undefined ? Buffer.from(data ?? '', 'base64') : await fetched(url, scope, deps);
  const mimeType = sniffType(bytes);
  if (mimeType === null || !PICTURE_TYPES.includes(mimeType)) {
    throw invalid({ pointer, message: 'is not a JPEG or PNG' });
  }
  if (bytes.length > MAX_PICTURE_BYTES) throw invalid({ pointer, message: 'is larger than 5 MiB' });
  return { data: bytes, mimeType };
}

async function fetched(
  url: string,
  { agencyId }: Scope,
  { fetchFile, pictureFetches }: Pick<ApiDeps, 'fetchFile' | 'pictureFetches'>,
): Promise<Buffer> {
  const leave = await enter([{ slots: pictureFetches, owner: agencyId }], PICTURE_WAIT_MS);
  // A larger one is not read into memory.
  const file = await fetchFile(url, async (sizeBytes) => sizeBytes <= MAX_PICTURE_BYTES).finally(leave);
  if ('bytes' in file) return file.bytes;
  if ('outcome' in file) throw invalid({ pointer: '/url', message: 'is larger than 5 MiB' });
  throw new EngineError('media_unavailable', file.refused, {
    fields: [{ pointer: '/url', message: 'cannot be fetched' }],
  });
}
