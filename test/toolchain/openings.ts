import { sentencesOf } from '../../tools/language/sentences.ts';
import { RELEASED_MIGRATION } from './guards.ts';
import type { Guard } from './guards.ts';

/** Words that announce a subject without naming it. */
export const REFUSED_OPENINGS = ['What', 'Who', 'Whom', 'Whose', 'Where', 'How', 'Those', 'So many', 'Of'] as const;
const OPENING = new RegExp(`^(?:${REFUSED_OPENINGS.join('|')})(?![\\w-])`);

/** The language check reads the API texts from which a command writes these comments. */
const GENERATED = /^packages\/(typescript\/(src\/generated|dist)|n8n\/dist)\//;

/** A comment follows a space or a brace, so that globs and addresses begin none. Lines in a row are one comment. */
const BLOCK = String.raw`(?<![^\s{(])\/\*\*?(?=\s)[\s\S]*?\*\/`;
const lines = (mark: string, before = String.raw`(?<!\S)`): string =>
  String.raw`${before}${mark} .*(?:\n[ \t]*${mark}(?: .*)?$)*`;
const IN_CODE = new RegExp(`${BLOCK}|${lines(String.raw`\/\/`)}|${lines('--', '^[ \\t]*')}`, 'gm');
const IN_SQL = new RegExp(lines('--'), 'gm');
const IN_SCRIPTS = new RegExp(lines('#'), 'gm');
const MARKS = /^[ \t]*(?:\/\*\*?|\*(?!\/)|\/\/|--|#)[ \t]?|[ \t]*\*\/$/gm;

const IS_CODE = /\.(?:[mc]?[jt]sx?|css|go|php)$/;

function commentsOf(path: string, text: string): { line: number; prose: string }[] {
  const pattern = IS_CODE.test(path) ? IN_CODE : path.endsWith('.sql') ? IN_SQL : IN_SCRIPTS;
  return [...text.matchAll(pattern)].map(({ 0: comment, index }) => ({
    line: text.slice(0, index).split('\n').length,
    prose: comment.replaceAll(MARKS, '').replaceAll(/\n- /g, '\n\n').trim(),
  }));
}

/** A comment gives its subject first: a reader then knows from the first word whether it concerns them. */
export const guardOpenings: Guard = (files) =>
  files
    .filter(({ path }) => !RELEASED_MIGRATION.test(path) && !GENERATED.test(path))
    .flatMap(({ path, text }) =>
      commentsOf(path, text).flatMap(({ line, prose }) =>
        sentencesOf(prose)
          .filter((sentence) => OPENING.test(sentence))
          .map(
            (sentence) =>
              `${path}:${line} opens a sentence with "${sentence.slice(0, 30)}": begin with the subject, then the verb and the consequence.`,
          ),
      ),
    );
