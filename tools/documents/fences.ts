/** The treatment of a fence, from the comment before it in the document. */
export interface Marks {
  /** Why nothing runs it. */
  notRun: string | null;
  /** The terminal of its own in which it goes on, and the words by which it has begun. */
  own: { terminal: string; until: string } | null;
  /** The text that another terminal shows afterwards. */
  elsewhere: { terminal: string; shows: string } | null;
  /** It is the answer of the commands before it. */
  isAnswer: boolean;
  /** It is an event of this type. */
  event: string | null;
  inEmptyDirectory: boolean;
}

export interface Fence {
  document: string;
  line: number;
  language: string;
  text: string;
  marks: Marks;
}

const COMMENT = /^\s*<!-- (.*) -->$/;
const OPEN = /^(\s*)```(\w*)\s*$/;

/** Reads the fences of a document in their order. */
export function fencesOf(document: string, text: string): Fence[] {
  const lines = text.split('\n');
  const fences: Fence[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const [, indent, language] = OPEN.exec(lines[index] ?? '') ?? [];
    if (indent === undefined || language === undefined) continue;
    const end = lines.findIndex((line, at) => at > index && line === `${indent}\`\`\``);
    if (end < 0) throw new Error(`${document}:${index + 1}: the fence has no end.`);
    const body = lines.slice(index + 1, end).map((line) => line.slice(indent.length));
    fences.push({ document, line: index + 1, language, text: body.join('\n'), marks: marksBefore(lines, index) });
    index = end;
  }
  return fences;
}

/** Reads the comments right before the fence; an empty line may stand between. */
function marksBefore(lines: string[], fence: number): Marks {
  const marks: Marks = {
    notRun: null,
    own: null,
    elsewhere: null,
    isAnswer: false,
    event: null,
    inEmptyDirectory: false,
  };
  for (let index = fence - 1; index >= 0; index -= 1) {
    const line = lines[index] ?? '';
    const [, comment] = COMMENT.exec(line) ?? [];
    if (comment !== undefined) read(comment, marks);
    else if (line.trim() !== '') break;
  }
  return marks;
}

function read(comment: string, marks: Marks): void {
  const [, notRun] = /^not run: (.+)$/.exec(comment) ?? [];
  const [, terminal, until] = /^terminal (\w+), until it shows: (.+)$/.exec(comment) ?? [];
  const [, other, shows] = /^then the terminal (\w+) shows: (.+)$/.exec(comment) ?? [];
  const [, event] = /^event: (\S+)$/.exec(comment) ?? [];
  if (notRun !== undefined) marks.notRun = notRun;
  else if (terminal !== undefined && until !== undefined) marks.own = { terminal, until };
  else if (other !== undefined && shows !== undefined) marks.elsewhere = { terminal: other, shows };
  else if (event !== undefined) marks.event = event;
  else if (comment === 'answer') marks.isAnswer = true;
  else if (comment === 'in an empty directory') marks.inEmptyDirectory = true;
}
