import type { Guard } from './guards.ts';
import { isEngine } from './source-files.ts';

/** The statements that may write new rows of `message`, by the file, and what keeps deleted messages out of each. */
const WRITERS: Readonly<Record<string, string>> = {
  /** Messages that the network shows. */
  'db/network/write-message.sql': 'deletion_of_report(',
  /** Sends that are accepted now; nothing has deleted them yet. */
  'db/sending/accept.sql': 'function accept_send(',
  /** The lines of an export. */
  'db/personal-data/import/write-rows.ts': 'withoutDeletedLines(',
  /** It plans the statement and writes nothing. */
  'db/engine/warm-connections.ts': 'explain insert into',
};

/** A statement that writes rows of `message`, or of a table whose name it is given. */
const WRITES_MESSAGE =
  /\b(?:insert\s+into|merge\s+into|copy)\s+(?:"?message"?(?![\w"])|\$\{)|\binsertInto\(\s*['"`]message['"`]/gi;

/** A writer that does not ask what was deleted brings it back, and tells it again. */
export const guardGate: Guard = (files) =>
  files
    .filter((file) => isEngine(file) && !file.path.startsWith('test/') && !file.path.startsWith('db/migrations/'))
    .flatMap(({ path, text }) => {
      const found = [...text.matchAll(WRITES_MESSAGE)].length;
      if (found === 0) return [];
      const asks = WRITERS[path];
      if (asks !== undefined && found === 1 && text.includes(asks)) return [];
      return `${path} writes messages past the gate (${found} ${found === 1 ? 'statement' : 'statements'}): call write_message, which asks every deletion.`;
    });
