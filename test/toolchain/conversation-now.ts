import type { Guard } from './guards.ts';
import { isEngine } from './source-files.ts';

/** The files that name where a merge leads, how often, and the reason for each. */
const NAMES: Readonly<Record<string, { times: number; reason: string }>> = {
  'db/conversations/now.sql': { times: 2, reason: 'It is the lookup.' },
  'db/indexes/indexes.sql': { times: 1, reason: 'The index by which the lookup finds what became one.' },
  'db/conversations/merge.sql': { times: 3, reason: 'A merge writes the lead.' },
  'db/network/unmerge/conversations.ts': { times: 3, reason: 'The end of a merge takes the lead back.' },
  'db/network/unmerge/lines.ts': { times: 1, reason: 'It lists the columns that the end of a merge gives back.' },
  'db/personal-data/erase-person.ts': { times: 1, reason: 'It empties the lead of a conversation that it deletes.' },
  'db/personal-data/tables.ts': { times: 1, reason: 'It lists the columns of each table.' },
  'db/personal-data/subject.ts': { times: 1, reason: 'It walks back to everybody who became one person.' },
  'db/personal-data/export/tables.ts': { times: 1, reason: 'An export writes the lead itself.' },
  'db/personal-data/export/moved-people.ts': {
    times: 2,
    reason: 'It lists what a merge has touched, to write it again.',
  },
  'db/personal-data/import/write-rows.ts': { times: 1, reason: 'An import reads the lead itself.' },
  'db/conversations/inbox/chats.ts': { times: 1, reason: 'Mirrors are told the lead itself.' },
  'api/conversations/tell-mirrors.ts': { times: 5, reason: 'Mirrors are told the lead itself.' },
};

/** The lead of a merged conversation. Whether there is one is another question. */
const LEAD = /\bmerged_into\b(?!\s+is\s+(?:not\s+)?null\b)|(?<!["`])\bmergedInto\b(?!:)/gi;

/** A statement that finds the conversation of today in its own way misses a merge, or the end of one, that others see. */
export const guardNow: Guard = (files) =>
  files
    .filter((file) => isEngine(file) && !/^(?:test|docs|db\/migrations)\//.test(file.path))
    .flatMap(({ path, text }) => {
      const times = [...text.matchAll(LEAD)].length;
      const allowed = NAMES[path]?.times ?? 0;
      if (times === allowed) return [];
      return `${path} names where a merge leads ${times} times and may do so ${allowed} times: call conversation_now or ids_of_conversation of db/conversations/now.sql.`;
    });
