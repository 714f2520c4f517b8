// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  ContactBlocked,
  ContactSync,
  ContactUnmerged,
  ContactsListOptOutsAnswer,
  ContactsOptInAnswer,
  OptOut,
} from './answered.ts';
import type {
  BlockContact,
  ContactsListOptOutsQuery,
  ContactsListOwnQuery,
  ContactsListQuery,
  ContactsOptInQuery,
  ContactsReadQuery,
  ContactsSyncQuery,
  SetOptOut,
  UnmergeContact,
} from './given.ts';
import type { Contact } from '../shared/answered.ts';

export class ContactsCalls extends Resource {
  /** List who has opted out */
  listOptOuts(query: ContactsListOptOutsQuery = {}, options?: CallOptions): Listed<ContactsListOptOutsAnswer, OptOut> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/opt-outs', query, takes: 'tenant' },
      (page) => page.optOuts,
      options,
    );
  }

  /** Record that a person wants no more messages */
  optOut(ref: string, body: SetOptOut = {}, options?: CallOptions): Promise<OptOut> {
    return this.caller.call({ method: 'PUT', path: path`/api/v1/opt-outs/${ref}`, body, takes: 'tenant' }, options);
  }

  /** Record that a person wants messages again */
  optIn(ref: string, query: ContactsOptInQuery = {}, options?: CallOptions): Promise<ContactsOptInAnswer> {
    return this.caller.call({ method: 'DELETE', path: path`/api/v1/opt-outs/${ref}`, query, takes: 'tenant' }, options);
  }

  /** List the contacts of a session */
  list(id: string, query: ContactsListQuery = {}, options?: CallOptions): Listed<Contact[], Contact> {
    return this.caller.list(
      { method: 'GET', path: path`/api/v1/sessions/${id}/contacts`, query, takes: 'tenant' },
      (page) => page,
      options,
    );
  }

  /** List the contacts of the key's session */
  listOwn(query: ContactsListOwnQuery = {}, options?: CallOptions): Listed<Contact[], Contact> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/sessions/contacts', query, takes: 'tenant' },
      (page) => page,
      options,
    );
  }

  /** Look a contact up */
  read(ref: string, query: ContactsReadQuery = {}, options?: CallOptions): Promise<Contact> {
    return this.caller.call({ method: 'GET', path: path`/api/v1/contacts/${ref}`, query, takes: 'tenant' }, options);
  }

  /** Block a person */
  block(session: string, body: BlockContact, options?: CallOptions): Promise<ContactBlocked> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/${session}/block`, body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Let a blocked person write again */
  unblock(session: string, body: BlockContact, options?: CallOptions): Promise<ContactBlocked> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/${session}/unblock`, body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Read the contacts of the account anew */
  sync(session: string, query: ContactsSyncQuery = {}, options?: CallOptions): Promise<ContactSync> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/${session}/syncContacts`, query, takes: 'tenant', once: true },
      options,
    );
  }

  /** Say that two merged contacts are not one person */
  unmerge(contactId: string, body: UnmergeContact = {}, options?: CallOptions): Promise<ContactUnmerged> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/contacts/${contactId}/unmerge`, body, takes: 'agency', keyed: true },
      options,
    );
  }
}
