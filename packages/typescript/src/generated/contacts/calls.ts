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
  /** List opt-outs */
  listOptOuts(query: ContactsListOptOutsQuery = {}, options?: CallOptions): Listed<ContactsListOptOutsAnswer, OptOut> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/opt-outs', query, takes: 'tenant' },
      (page) => page.optOuts,
      options,
    );
  }

  /** Record an opt-out */
  optOut(ref: string, body: SetOptOut = {}, options?: CallOptions): Promise<OptOut> {
    return this.caller.call({ method: 'PUT', path: path`/api/v1/opt-outs/${ref}`, body, takes: 'tenant' }, options);
  }

  /** Remove an opt-out */
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

  /** Look up a contact */
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

  /** Unblock a person */
  unblock(session: string, body: BlockContact, options?: CallOptions): Promise<ContactBlocked> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/${session}/unblock`, body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Sync the contacts of an account */
  sync(session: string, query: ContactsSyncQuery = {}, options?: CallOptions): Promise<ContactSync> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/${session}/syncContacts`, query, takes: 'tenant', once: true },
      options,
    );
  }

  /** Undo a merge of two contacts */
  unmerge(contactId: string, body: UnmergeContact = {}, options?: CallOptions): Promise<ContactUnmerged> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/contacts/${contactId}/unmerge`, body, takes: 'agency', keyed: true },
      options,
    );
  }
}
