import { invalid } from '../../domain/error.ts';
import { SHAPE } from '../wire/json-shape.ts';

interface Open {
  isObject: boolean;
  /** The name whose value comes; null in a list, and before the first name. */
  name: string | null;
  values: number;
}

/** A value as its first byte shows it. */
export type ValueKind = 'object' | 'list' | 'null' | 'scalar';

/**
 * Judges the shape of a JSON body while it comes, as `requireJudgeable` and `requireBoundedShape` judge one that was
 * read. Each occurrence of a name counts: a name that stands twice is judged twice.
 */
export class StreamedShape {
  readonly #files: readonly (readonly string[])[];
  readonly #open: Open[] = [];
  #values = 0;

  constructor(files: readonly string[]) {
    this.#files = files.map((place) => (place === '' ? [] : place.split('.')));
  }

  name(text: string): void {
    const innermost = this.#open.at(-1);
    if (!innermost?.isObject) throw malformed();
    innermost.name = text;
  }

  value(kind: ValueKind): void {
    const innermost = this.#open.at(-1);
    if (innermost) this.#count(innermost);
    else if (kind !== 'object') throw invalid({ pointer: '', message: 'must be an object' });
    this.#judgeFile(kind);
    if (kind === 'object' || kind === 'list') {
      if (this.#open.length > SHAPE.levels)
        throw invalid({ pointer: '', message: `must have at most ${SHAPE.levels} levels` });
      this.#open.push({ isObject: kind === 'object', name: null, values: 0 });
    }
  }

  close(isObject: boolean): void {
    if (this.#open.pop()?.isObject !== isObject) throw malformed();
  }

  #count(innermost: Open): void {
    innermost.values += 1;
    this.#values += 1;
    const most = innermost.isObject ? SHAPE.names : SHAPE.items;
    if (innermost.values > most) {
      const what = innermost.isObject ? 'names in an object' : 'items in a list';
      throw invalid({ pointer: '', message: `must have at most ${most} ${what}` });
    }
    if (this.#values > SHAPE.values)
      throw invalid({ pointer: '', message: `must have at most ${SHAPE.values} values` });
  }

  /** A file is an object, and so is all that it stands in; its own fields are plain. */
  #judgeFile(kind: ValueKind): void {
    const path = this.#open.map(({ name }) => name);
    for (const file of this.#files) {
      const shared = Math.min(path.length, file.length);
      if (path.slice(0, shared).some((name, at) => name !== file[at])) continue;
      const pointer = path.map((name) => `/${name}`).join('');
      if (path.length <= file.length && kind !== 'object' && kind !== 'null') {
        throw invalid({ pointer, message: 'must be an object with the data or the url of the file' });
      }
      if (path.length === file.length + 1 && (kind === 'object' || kind === 'list')) {
        throw invalid({ pointer, message: 'must be a text, a number or a boolean' });
      }
    }
  }
}

function malformed() {
  return invalid({ pointer: '', message: 'is no JSON' });
}
