import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CONTEXT_PAGE, contextPage, readContext } from '../../tools/automations/context-page.ts';

describe('docs/reference/automation-context.md', () => {
  const source = readContext();
  const page = readFileSync(CONTEXT_PAGE, 'utf8');

  it('shows the context of this tree: run `npm run automation-context` after a change of it', () => {
    expect(contextPage(source)).toBe(page);
  });

  it('has each member with its comment', () => {
    const members = [...source.matchAll(/^ {2}(?:readonly )?(\w+)(?:<[^(]*>)?[(:]/gm)].map(([, name]) => name);
    const context = members.slice(members.indexOf('facts'), members.indexOf('now') + 1);
    expect(context.length).toBeGreaterThan(15);
    expect([...page.matchAll(/^## (\w+)\n\n\w/gm)].map(([, name]) => name)).toEqual(context);
  });

  it('differs once a member is new', () => {
    const more = source.replace(
      '  /** Returns the time.',
      '  /** Counts. */\n  count(): number;\n  /** Returns the time.',
    );
    expect(contextPage(more)).toContain('## count\n\nCounts.');
  });
});
