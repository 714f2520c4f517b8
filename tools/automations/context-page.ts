import { readFileSync, writeFileSync } from 'node:fs';
import { LEVELS } from '../../domain/automations/acks.ts';

/** The page that this file writes from the doc comments of the context. */
export const CONTEXT_PAGE = new URL('../../docs/reference/automation-context.md', import.meta.url);
const CONTEXT = new URL('../../workflows/automations/context.ts', import.meta.url);

const INTRODUCTION = `# The context of an automation

<!-- generated: \`npm run automation-context\` writes this page from \`workflows/automations/context.ts\` -->

This page is generated. The code of an automation receives a \`context\`: see [Define an automation](../extend/define-automation.md).`;

/** Each block is a signature, which no reader runs. */
const NOT_RUN = '<!-- not run: a signature -->';

const VALUES = `## Values

\`LEVELS\` are LEVELS_HERE. \`TemplateValue\` is a number, a \`Date\` or a word without spaces. \`Told\` and \`LoggedValue\` are words without spaces, numbers and flags. In your file, the compiler knows the names of your texts, templates and answers. A wait takes 0 ms to ten years; any other time throws. A step that cannot be done throws \`StepFailed\` with a \`reason\`.`;

interface Member {
  name: string;
  comment: string;
  signature: string;
}

export function contextPage(source: string): string {
  const sections = membersOf(source).map(
    ({ name, comment, signature }) => `## ${name}\n\n${comment}\n\n${NOT_RUN}\n\n\`\`\`ts\n${signature}\n\`\`\``,
  );
  const reply = bodyOf(/export (interface Reply \{\n.*?\n\})/s, source);
  const levels = Object.keys(LEVELS).map((level) => `\`${level}\``);
  return [
    INTRODUCTION,
    `${textOf(commentBefore('export interface Context', source))}`,
    ...sections,
    `## Reply\n\n${NOT_RUN}\n\n\`\`\`ts\n${reply}\n\`\`\``,
    VALUES.replace('LEVELS_HERE', levels.join(', ')),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

export function readContext(): string {
  return readFileSync(CONTEXT, 'utf8');
}

/** Splits the interface at its comments, so each member needs one. */
function membersOf(source: string): Member[] {
  return bodyOf(/interface Context<[^{]*> \{\n(.*?)\n\}/s, source)
    .split('/**')
    .slice(1)
    .map((part) => {
      const [comment = '', signature = ''] = part.split('*/');
      const [, name = ''] = /^\s*(?:readonly )?(\w+)/.exec(signature) ?? [];
      return { name, comment: textOf(comment), signature: signature.trim().replaceAll('\n  ', '\n') };
    });
}

function commentBefore(declaration: string, source: string): string {
  const before = source.slice(0, source.indexOf(declaration));
  return before.slice(before.lastIndexOf('/**') + '/**'.length, before.lastIndexOf('*/'));
}

/** The words of a comment in one line, as pages of the documents are written. */
function textOf(comment: string): string {
  return comment
    .replaceAll(/\n\s*\* ?/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function bodyOf(pattern: RegExp, source: string): string {
  const [, body] = pattern.exec(source) ?? [];
  if (body === undefined)
    throw new Error(`workflows/automations/context.ts has no ${pattern.source}: change the pattern.`);
  return body;
}

if (import.meta.main) writeFileSync(CONTEXT_PAGE, contextPage(readContext()));
