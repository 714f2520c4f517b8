// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { Note, NotesListAnswer } from './answered.ts';
import type { ChangeNote, CreateNote, NotesDeleteQuery, NotesListQuery } from './given.ts';

export class NotesCalls extends Resource {
  /** List the team's notes about a contact */
  list(query: NotesListQuery, options?: CallOptions): Listed<NotesListAnswer, Note> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/notes', query, takes: 'tenant' },
      (page) => page.notes,
      options,
    );
  }

  /** Add a note about a contact */
  create(body: CreateNote, options?: CallOptions): Promise<Note> {
    return this.caller.call({ method: 'POST', path: '/api/v1/notes', body, takes: 'tenant', keyed: true }, options);
  }

  /** Change the text of a note */
  change(id: string, body: ChangeNote, options?: CallOptions): Promise<Note> {
    return this.caller.call(
      { method: 'PATCH', path: path`/api/v1/notes/${id}`, body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Delete a note */
  delete(id: string, query: NotesDeleteQuery = {}, options?: CallOptions): Promise<void> {
    return this.caller.silent({ method: 'DELETE', path: path`/api/v1/notes/${id}`, query, takes: 'tenant' }, options);
  }
}
