import { linesOf } from './guards.ts';
import type { Guard } from './guards.ts';
import type { SourceFile } from './source-files.ts';

/** A name that Temporal's UI shows, from which one search must lead to code, test and rows. */
export interface ShownName {
  kind: 'activity' | 'workflow' | 'signal' | 'update' | 'query';
  name: string;
}

const PROXIES = /const \{([^}]+)\} = proxy(?:Local)?Activities</g;

/** All that workflows call, under the names that Temporal shows, whatever a workflow calls them itself. */
export function activityNames(workflows: readonly SourceFile[]): string[] {
  const names = workflows.flatMap(({ text }) =>
    [...text.matchAll(PROXIES)].flatMap(([, list = '']) =>
      list.split(',').map((name) => name.replace(/:.*/, '').trim()),
    ),
  );
  return [...new Set(names)].filter((name) => name !== '').toSorted();
}

/** The names before the colon of a title: `describe('pause, resume: …')`. */
const SUBJECTS = /(?:\bdescribe\w*|\bit|\))\(\s*['"`](\w+(?:, \w+)*): /g;

export function guardTitles(names: readonly ShownName[]): Guard {
  return (files) => {
    const tests = files.filter(({ path }) => path.endsWith('.test.ts'));
    const tried = new Set(
      tests.flatMap(({ text }) => [...text.matchAll(SUBJECTS)].flatMap(([, list = '']) => list.split(', '))),
    );
    return names
      .filter(({ name }) => !tried.has(name))
      .map(
        ({ kind, name }) =>
          `The ${kind} ${name} stands before the colon of no test's title: begin the describe or it that tries it with "${name}: ", in test/${kind === 'activity' ? 'activities' : 'workflows'}/.`,
      );
  };
}

/** The tables that migrations make and keep. */
export function tableNames(migrations: readonly SourceFile[]): Set<string> {
  const tables = new Set<string>();
  for (const { text } of migrations) {
    for (const [, verb, name = ''] of text.matchAll(/^\s*(create|drop) table (?:if (?:not )?exists )?(\w+)/gm)) {
      if (verb === 'create') tables.add(name);
      else tables.delete(name);
    }
  }
  return tables;
}

/** The comment of an activity or a workflow ends with the tables that it is about: "Rows: message, message_history." */
export function guardRows(names: readonly ShownName[], tables: ReadonlySet<string>): Guard {
  return (files) =>
    names.flatMap(({ kind, name }) => {
      const folder = kind === 'workflow' ? 'workflows/' : 'activities/';
      const comment = commentOf(name, folder, files);
      const rows = /\bRows: (\w+(?:, \w+)*)\./.exec(comment)?.[1]?.split(', ');
      if (!rows) {
        return [
          `The comment of the ${kind} ${name} names no table: end it, in ${folder}, with the tables that it changes or reads, such as "Rows: message, message_history."`,
        ];
      }
      return rows
        .filter((row) => !tables.has(row))
        .map(
          (row) =>
            `The comment of the ${kind} ${name} names the table ${row}, which no migration makes: mend its "Rows:" in ${folder}.`,
        );
    });
}

function commentOf(name: string, folder: string, files: readonly SourceFile[]): string {
  const declaration = new RegExp(
    `\\/\\*\\*((?:(?!\\*\\/)[^])*)\\*\\/\\s+(?:return |export )?(?:async )?function ${name}\\b`,
  );
  for (const { path, text } of files) {
    const found = path.startsWith(folder) ? declaration.exec(text)?.[1] : undefined;
    if (found !== undefined) return found.replaceAll(/\s*\n\s*\*?\s*/g, ' ');
  }
  return '';
}

const TRANSLATOR = 'worker/interceptors.ts';
/**
 * Workflows refuse Updates by the `refusal` of this file, which takes only a code of `ERRORS`: they do without
 * `EngineError`, since the table would be in each cached workflow.
 */
const REFUSALS = 'workflows/decision.ts';

/** The type of each failure is a row of `ERRORS`, whose page says what it means. */
export const guardFailures: Guard = (files) =>
  files
    .filter(
      ({ path }) => /^(activities|workflows|worker|loops)\//.test(path) && path !== TRANSLATOR && path !== REFUSALS,
    )
    .flatMap(({ path, text }) =>
      linesOf(text).flatMap((line, index) =>
        /\bApplicationFailure\b/.test(line)
          ? [
              `${path}:${index + 1} makes Temporal's failure by hand: throw new EngineError with a row of ERRORS in domain/error.ts, of which ${TRANSLATOR} makes it.`,
            ]
          : [],
      ),
    );

/** An attribute that no test sets or reads may be set by nobody. */
export function guardAttributes(attributes: readonly string[]): Guard {
  return (files) => {
    const tests = files.filter(({ path }) => path.endsWith('.test.ts') && !path.startsWith('test/toolchain/'));
    return attributes
      .filter((name) => !tests.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text)))
      .map(
        (name) =>
          `No test sets or reads the search attribute ${name}: search for it in test/journeys/sending/send.test.ts, or take it from the list.`,
      );
  };
}
