import { z } from 'zod';
import type { Database } from '../../db/engine/database.ts';
import { holdFile } from '../../db/media/keys.ts';
import { lockExport } from '../../db/personal-data/export/export.ts';
import type { TenantExport } from '../../db/personal-data/export/export.ts';
import {
  findUndoUnderWay,
  idsOf,
  MovedPeople,
  OF_PEOPLE,
  readMovedPeople,
} from '../../db/personal-data/export/moved-people.ts';
import { changeParts, listRowParts, placeParts } from '../../db/personal-data/export/parts.ts';
import type { ChangedPart, NewPart, RowPart } from '../../db/personal-data/export/parts.ts';
import { moveLines } from '../../db/personal-data/export/move-lines.ts';
import type { NamedFile } from '../../db/personal-data/export/read-page.ts';
import { EXPORT_STEPS, PEOPLE_PLACE } from '../../db/personal-data/export/walk.ts';
import type { ExportPlace } from '../../db/personal-data/export/walk.ts';
import { moveLeftBack } from '../../db/network/unmerge/unmerge.ts';
import { readName, rowsName } from '../../domain/personal-data/archive.ts';
import { chainOf } from './chain.ts';

interface Means {
  database: Pick<Database, 'read' | 'statement' | 'transaction'>;
  put: (known: TenantExport, name: string, content: Buffer) => Promise<NewPart>;
  /** Reads a file of the store; null when it is not there. */
  get: (key: string) => Promise<Buffer | null>;
  takeFiles: (known: TenantExport, files: readonly NamedFile[]) => Promise<{ found: NewPart[]; missing: number }>;
}

/** One step looks through as many parts. */
const PARTS = 64;
/** This name is in no file: the people lie in the store between two steps. */
const PEOPLE = 'people.json';

/**
 * Puts right in a file whom its rows belong to. The walks take a while, and a merge, or the end of one, may have given
 * rows to somebody else behind their place: then the file would have one person's messages with another. So behind the
 * walks all people who were moved are read once more, at one moment, and their rows in the file are replaced. At the end
 * the file says of everybody who they were at that moment.
 */
export function createPeopleSteps({ database, put, get, takeFiles }: Means) {
  async function putRight(known: TenantExport, place: ExportPlace): Promise<void> {
    if (place.parent === null) return readPeople(known, place);
    const people = await peopleAt(place.parent);
    // The file was not held for long enough, so the people are read anew.
    if (people === null) return step(known, place, { next: PEOPLE_PLACE });
    const [after = '-1', ...begun] = place.after ?? [];
    const parts = await database.read((queries) =>
      listRowParts(queries, known.id, { after: Number(after), limit: PARTS }),
    );
    const lastPart = parts.at(-1);
    if (lastPart === undefined) return finish(known, place, { people, begun });
    const changes = new Changes(people, begun);
    for (const part of parts) await change(known, part, changes);
    const { changed, counts } = changes;
    const next = { ...place, after: [String(lastPart.number), ...changes.begun] };
    await step(known, place, { changed, counts, next });
  }

  async function readPeople(known: TenantExport, place: ExportPlace): Promise<void> {
    for (;;) {
      const undone = await database.read((queries) => findUndoUnderWay(queries, known));
      if (undone !== null) {
        await database.transaction((tx) => moveLeftBack(tx, undone));
        continue;
      }
      const people = await database.transaction((tx) => readMovedPeople(tx, known));
      if (people === 'under_way') continue;
      if (people.contactIds.length === 0) return step(known, place, { next: null });
      const { key } = await put(known, PEOPLE, Buffer.from(JSON.stringify(people)));
      return step(known, place, { next: { ...PEOPLE_PLACE, parent: key, after: ['-1'] } });
    }
  }

  /** Reads the people, and holds their file until the next step: no row names it. Null when it is not there any more. */
  async function peopleAt(key: string): Promise<MovedPeople | null> {
    if (!(await database.statement((tx) => holdFile(tx, key)))) return null;
    const content = await get(key);
    return content === null ? null : MovedPeople.parse(JSON.parse(content.toString()));
  }

  /** Leaves the former rows of the people out of one part; the first part of a walk gets those of now. */
  async function change(known: TenantExport, { number, name, key }: RowPart, changes: Changes): Promise<void> {
    const said = readName(name);
    if (said === null || !('rowsOf' in said)) return;
    const what = said.rowsOf;
    if (what !== 'message' && OF_PEOPLE[what] === undefined) return;
    const content = await get(key);
    if (content === null) throw new Error('The media store has lost a part of an export.');
    const lines = content.toString().split('\n').filter(Boolean);
    const changed = what === 'message' ? await movedMessages(lines, changes) : changes.linesOf(what, lines);
    if (changed === null) return;
    const part = changed.length === 0 ? null : await put(known, name, contentOf(changed));
    changes.add(what, { number, part }, changed.length - lines.length);
  }

  /** Gives messages the conversation and the contact of now. Null when all of them have these. */
  async function movedMessages(lines: readonly string[], { places, moved: { conversation: talks } }: Changes) {
    const moves: { line: string; conversationId: string; contactId: string | null }[] = [];
    const kept: (string | { move: number })[] = [];
    for (const line of lines) {
      const { id, conversation_id: conversationId, contact_id: contactId = null } = MessageLine.parse(JSON.parse(line));
      const place = places.get(id);
      if (place === undefined) {
        // One that was deleted since is left out, because nobody can say whose it is.
        if (!talks.has(conversationId)) kept.push(line);
      } else if (place.conversationId === conversationId && place.contactId === contactId) {
        kept.push(line);
      } else {
        kept.push({ move: moves.length });
        moves.push({ line, ...place });
      }
    }
    if (moves.length === 0 && kept.length === lines.length) return null;
    const moved = await database.read((queries) => moveLines(queries, moves));
    return kept.map((line) => (typeof line === 'string' ? line : (moved[line.move] ?? '')));
  }

  /** Adds the rows of walks that had none, and places all parts anew. */
  async function finish(
    known: TenantExport,
    place: ExportPlace,
    { people, begun }: { people: MovedPeople; begun: readonly string[] },
  ): Promise<void> {
    const added: NewPart[] = [];
    const counts: Record<string, number> = {};
    for (const { what } of EXPORT_STEPS) {
      const lines = people.lines[what] ?? [];
      if (begun.includes(what) || lines.length === 0) continue;
      added.push(await put(known, rowsName(known.parts + added.length, what), contentOf(lines)));
      counts[what] = lines.length;
    }
    const { found, missing } = await takeFiles(known, people.files);
    const files = { files: found.length, missingFiles: missing };
    await step(known, place, { added: [...added, ...found], counts, ...files, next: null, isLast: true });
  }

  async function step(
    known: TenantExport,
    place: ExportPlace,
    {
      isLast = false,
      ...change
    }: Partial<Parameters<typeof changeParts>[2]> & { next: ExportPlace | null; isLast?: boolean },
  ): Promise<void> {
    const nothing = { changed: [], added: [], counts: {}, files: 0, missingFiles: 0 };
    await database.transaction(async (tx) => {
      const locked = await lockExport(tx, known.id);
      if (locked === null || JSON.stringify(locked.place) !== JSON.stringify(place)) return;
      await changeParts(tx, locked, { ...nothing, ...change });
      if (isLast) await placeParts(tx, known.id, chainOf);
    });
  }

  return { putRight };
}

const MessageLine = z.looseObject({ id: z.string(), conversation_id: z.string(), contact_id: z.string().nullish() });
const AnyLine = z.record(z.string(), z.unknown());

const contentOf = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(''));

/** The changes of one step. */
class Changes {
  readonly people: MovedPeople;
  /** The walks of which a part has the rows of now. */
  readonly begun: string[];
  readonly changed: ChangedPart[] = [];
  readonly counts: Record<string, number> = {};
  readonly #ids = new Map<string, ReadonlySet<string>>();
  readonly moved: { contact: ReadonlySet<string>; conversation: ReadonlySet<string> };

  /** The messages by their ids. */
  readonly places: ReadonlyMap<string, { conversationId: string; contactId: string | null }>;

  constructor(people: MovedPeople, begun: readonly string[]) {
    this.people = people;
    this.begun = [...begun];
    this.places = new Map(
      people.messages.map(([id, conversationId, contactId]) => [id, { conversationId, contactId }]),
    );
    this.moved = { contact: new Set(people.contactIds), conversation: new Set(people.conversationIds) };
  }

  /** Null when the part has none of the people and gets none. */
  linesOf(what: string, lines: readonly string[]): string[] | null {
    const kept = lines.filter((line) => !this.#isAbout(what, AnyLine.parse(JSON.parse(line))));
    const added = this.begun.includes(what) ? [] : (this.people.lines[what] ?? []);
    if (added.length > 0) this.begun.push(what);
    return added.length === 0 && kept.length === lines.length ? null : [...kept, ...added];
  }

  add(what: string, part: ChangedPart, count: number): void {
    this.changed.push(part);
    this.counts[what] = (this.counts[what] ?? 0) + count;
  }

  #isAbout(what: string, line: z.output<typeof AnyLine>): boolean {
    const { of, by, withIdsOf } = OF_PEOPLE[what] ?? { of: 'contact', by: [] };
    if (withIdsOf !== undefined) return this.#idsOf(withIdsOf).has(String(line['id']));
    return by.some((column) => this.moved[of].has(String(line[column])));
  }

  #idsOf(what: string): ReadonlySet<string> {
    const known = this.#ids.get(what) ?? new Set(idsOf(this.people.lines[what] ?? []));
    this.#ids.set(what, known);
    return known;
  }
}
