// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  ConnectLink,
  Gap,
  PairingCode,
  Profile,
  ProfileAboutSet,
  ProfileNameSet,
  ProfilePictureSet,
  SessionCapabilities,
  SessionCreated,
  SessionDetails,
  SessionsGetConnectLinkAnswer,
  SessionsListGapsAnswer,
  Sync,
} from './answered.ts';
import type {
  AskNamedSession,
  AskPairingCode,
  AskSession,
  AskSync,
  ChangeSession,
  CreateSession,
  MakeConnectLink,
  SessionsDeleteProfilePictureQuery,
  SessionsDeleteQuery,
  SessionsEndConnectLinkQuery,
  SessionsGetConnectLinkQuery,
  SessionsListGapsQuery,
  SessionsListQuery,
  SessionsReadAccountQuery,
  SessionsReadCapabilitiesQuery,
  SessionsReadOwnProfileQuery,
  SessionsReadProfileQuery,
  SessionsReadQrQuery,
  SessionsReadQuery,
  SessionsReadStatusQuery,
  SessionsReadSyncQuery,
  SetProfileAbout,
  SetProfileName,
  SetProfilePicture,
  StopSync,
} from './given.ts';
import type { SessionStatus } from '../shared/answered-2.ts';

export class SessionsCalls extends Resource {
  /** Connect a messaging account */
  create(body: CreateSession = {}, options?: CallOptions): Promise<SessionCreated> {
    return this.caller.call({ method: 'POST', path: '/api/v1/sessions', body, takes: 'tenant', keyed: true }, options);
  }

  /** List sessions */
  list(query: SessionsListQuery = {}, options?: CallOptions): Listed<SessionStatus[], SessionStatus> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/sessions', query, takes: 'tenant' },
      (page) => page,
      options,
    );
  }

  /** Retrieve the status of a session */
  readStatus(query: SessionsReadStatusQuery = {}, options?: CallOptions): Promise<SessionStatus> {
    return this.caller.call({ method: 'GET', path: '/api/v1/sessions/status', query, takes: 'tenant' }, options);
  }

  /** Retrieve the connected account */
  readAccount(query: SessionsReadAccountQuery = {}, options?: CallOptions): Promise<SessionDetails> {
    return this.caller.call({ method: 'GET', path: '/api/v1/sessions/me', query, takes: 'tenant' }, options);
  }

  /** Retrieve a session */
  read(id: string, query: SessionsReadQuery = {}, options?: CallOptions): Promise<SessionStatus> {
    return this.caller.call({ method: 'GET', path: path`/api/v1/sessions/${id}`, query, takes: 'tenant' }, options);
  }

  /** Make a session the tenant's default */
  update(id: string, body: ChangeSession, options?: CallOptions): Promise<SessionStatus> {
    return this.caller.call(
      { method: 'PATCH', path: path`/api/v1/sessions/${id}`, body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Delete a session */
  delete(id: string, query: SessionsDeleteQuery = {}, options?: CallOptions): Promise<SessionStatus> {
    return this.caller.call({ method: 'DELETE', path: path`/api/v1/sessions/${id}`, query, takes: 'tenant' }, options);
  }

  /** Get the QR code to scan */
  readQr(id: string, query: SessionsReadQrQuery = {}, options?: CallOptions): Promise<Response> {
    return this.caller.file({ method: 'GET', path: path`/api/v1/sessions/${id}/qr`, query, takes: 'tenant' }, options);
  }

  /** List the gaps of a session */
  listGaps(id: string, query: SessionsListGapsQuery = {}, options?: CallOptions): Listed<SessionsListGapsAnswer, Gap> {
    return this.caller.list(
      { method: 'GET', path: path`/api/v1/sessions/${id}/gaps`, query, takes: 'tenant' },
      (page) => page.gaps,
      options,
    );
  }

  /** Retrieve the profile of the key's session */
  readOwnProfile(query: SessionsReadOwnProfileQuery = {}, options?: CallOptions): Promise<Profile> {
    return this.caller.call({ method: 'GET', path: '/api/v1/sessions/me/profile', query, takes: 'tenant' }, options);
  }

  /** Retrieve the profile of a session */
  readProfile(id: string, query: SessionsReadProfileQuery = {}, options?: CallOptions): Promise<Profile> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/sessions/${id}/profile`, query, takes: 'tenant' },
      options,
    );
  }

  /** Change the account's name */
  setProfileName(session: string, body: SetProfileName, options?: CallOptions): Promise<ProfileNameSet> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/${session}/profile/name`, body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Change the account's about text */
  setProfileAbout(session: string, body: SetProfileAbout, options?: CallOptions): Promise<ProfileAboutSet> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/${session}/profile/about`, body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Change the account's picture */
  setProfilePicture(id: string, body: SetProfilePicture = {}, options?: CallOptions): Promise<ProfilePictureSet> {
    return this.caller.call(
      { method: 'PUT', path: path`/api/v1/sessions/${id}/profile/picture`, body, takes: 'tenant' },
      options,
    );
  }

  /** Delete the account's picture */
  deleteProfilePicture(
    id: string,
    query: SessionsDeleteProfilePictureQuery = {},
    options?: CallOptions,
  ): Promise<ProfilePictureSet> {
    return this.caller.call(
      { method: 'DELETE', path: path`/api/v1/sessions/${id}/profile/picture`, query, takes: 'tenant' },
      options,
    );
  }

  /** Get a pairing code for the phone */
  requestPairingCode(id: string, body: AskPairingCode, options?: CallOptions): Promise<PairingCode> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/sessions/${id}/pairing-code`, body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Create a link to connect an account */
  createConnectLink(id: string, body: MakeConnectLink = {}, options?: CallOptions): Promise<ConnectLink> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/sessions/${id}/connect-link`, body, takes: 'tenant', keyed: true },
      options,
    );
  }

  /** Get a session's connect link */
  getConnectLink(
    id: string,
    query: SessionsGetConnectLinkQuery = {},
    options?: CallOptions,
  ): Promise<SessionsGetConnectLinkAnswer> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/sessions/${id}/connect-link`, query, takes: 'tenant' },
      options,
    );
  }

  /** End a session's connect link */
  endConnectLink(id: string, query: SessionsEndConnectLinkQuery = {}, options?: CallOptions): Promise<void> {
    return this.caller.silent(
      { method: 'DELETE', path: path`/api/v1/sessions/${id}/connect-link`, query, takes: 'tenant' },
      options,
    );
  }

  /** List the capabilities of a session */
  readCapabilities(
    id: string,
    query: SessionsReadCapabilitiesQuery = {},
    options?: CallOptions,
  ): Promise<SessionCapabilities> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/sessions/${id}/capabilities`, query, takes: 'tenant' },
      options,
    );
  }

  /** Restart the key's session */
  restartNamed(body: AskNamedSession = {}, options?: CallOptions): Promise<SessionStatus> {
    return this.caller.call(
      { method: 'POST', path: '/api/v1/sessions/restart', body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Log out the key's session */
  logoutNamed(body: AskNamedSession = {}, options?: CallOptions): Promise<SessionStatus> {
    return this.caller.call(
      { method: 'POST', path: '/api/v1/sessions/logout', body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Start a session */
  start(id: string, body: AskSession = {}, options?: CallOptions): Promise<SessionStatus> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/sessions/${id}/start`, body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Stop a session */
  stop(id: string, body: AskSession = {}, options?: CallOptions): Promise<SessionStatus> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/sessions/${id}/stop`, body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Restart a session */
  restart(id: string, body: AskSession = {}, options?: CallOptions): Promise<SessionStatus> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/sessions/${id}/restart`, body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Log out a session */
  logout(id: string, body: AskSession = {}, options?: CallOptions): Promise<SessionStatus> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/sessions/${id}/logout`, body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Retrieve the progress of a history sync */
  readSync(id: string, query: SessionsReadSyncQuery = {}, options?: CallOptions): Promise<Sync> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/sessions/${id}/sync`, query, takes: 'tenant' },
      options,
    );
  }

  /** Sync more of an account's history */
  sync(id: string, body: AskSync = {}, options?: CallOptions): Promise<Sync> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/sessions/${id}/sync`, body, takes: 'tenant', keyed: true },
      options,
    );
  }

  /** Stop syncing an account's history */
  stopSync(id: string, body: StopSync = {}, options?: CallOptions): Promise<Sync> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/sessions/${id}/sync/stop`, body, takes: 'tenant', once: true },
      options,
    );
  }
}
