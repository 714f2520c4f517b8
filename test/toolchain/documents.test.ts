import { describe, expect, it } from '@jest/globals';
import { AUDIT_OBJECTS } from '../../domain/tenants/audit.ts';
import { guardCitedPaths } from './cited-paths.ts';
import { RELEASED_MIGRATION } from './guards.ts';
import type { Guard } from './guards.ts';
import { docsPages, isEngine, projectPaths, sourceFiles, writtenFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import { guardTerms } from './terms.ts';

const written = writtenFiles();
const pages = docsPages();
/** Released migrations name what there was then; this file names what there never was. */
const commented = written.filter(({ path }) => !RELEASED_MIGRATION.test(path) && !path.endsWith('/documents.test.ts'));
const words = pages.filter(({ path }) => path === 'docs/start/words.md');
const file = (path: string, text: string): SourceFile => ({ path, text });

const guardPlantedTerms = guardTerms([file('db/a.ts', 'ladderStep, hiddenId')]);

/** Each guard over what it is for, then with a fault that it refuses and what it says then, and with the fault mended. */
const GUARDS: {
  title: string;
  guard: Guard;
  planted: Guard;
  over: SourceFile[];
  fault: SourceFile;
  says: RegExp;
  mended: SourceFile;
}[] = [
  {
    title: 'a comment names files that there are',
    guard: guardCitedPaths(projectPaths()),
    planted: guardCitedPaths(['activities/sending/messages.ts', 'db/sending', 'db/sending/accept.sql']),
    over: [...commented, ...pages],
    fault: file('db/a.ts', '\n/** One statement (`db/functions/claim.sql`). */\n'),
    says: /^db\/a\.ts:2 names `db\/functions\/claim\.sql`, which is not there: write /,
    mended: file('db/a.ts', '/** As `sending/accept.sql`, `accept.sql`, `db/sending/` and `text/plain` say. */'),
  },
  {
    title: 'a page names files that there are',
    guard: guardCitedPaths(projectPaths()),
    planted: guardCitedPaths(['activities/sending/messages.ts', 'db/sending', 'db/sending/accept.sql']),
    over: pages,
    fault: file('docs/start/words.md', 'It is in `activities/messages.ts`.'),
    says: /^docs\/start\/words\.md:1 names `activities\/messages\.ts`, which is not there: write /,
    mended: file('docs/start/words.md', 'It is in `activities/sending/messages.ts`.'),
  },
  {
    title: 'a term is a word of the code',
    guard: guardTerms(sourceFiles().filter(isEngine)),
    planted: guardPlantedTerms,
    over: words,
    fault: file('docs/start/words.md', '## Rung\n\nA pause.\n'),
    says: /^docs\/start\/words\.md defines "Rung", and no code uses that word: /,
    mended: file('docs/start/words.md', '## Ladder step\n\nA pause.\n'),
  },
  {
    title: 'a term has one definition',
    guard: guardTerms(sourceFiles().filter(isEngine)),
    planted: guardPlantedTerms,
    over: words,
    fault: file('docs/start/words.md', '## Hidden ID\n\nAn address.\n\n## Hidden ID\n\nA number.\n'),
    says: /^docs\/start\/words\.md defines "Hidden ID" twice: /,
    mended: file('docs/start/words.md', '## Hidden ID\n\nAn address.\n'),
  },
];

describe.each(GUARDS)('the guard: $title', ({ guard, planted, over, fault, says, mended }) => {
  it('finds nothing in this tree', () => {
    expect(over.length).toBeGreaterThan(0);
    expect(guard(over)).toEqual([]);
  });

  it('tells whoever breaks it where, and what to do', () => {
    expect(planted([fault])).toEqual([expect.stringMatching(says)]);
  });

  it('is content when that is done', () => {
    expect(planted([mended])).toEqual([]);
  });
});

describe('the page of the audit log', () => {
  it('names every object that the audit knows', () => {
    const page = pages.find(({ path }) => path === 'docs/operate/audit-log.md')?.text ?? '';
    expect(AUDIT_OBJECTS.filter((object) => !page.includes(`\`${object}\``))).toEqual([]);
  });
});

describe('the page about the details of the contract, docs/reference/contract.md', () => {
  it('stays a page that is read in one go: 80 lines at most', () => {
    const page = pages.find(({ path }) => path === 'docs/reference/contract.md')?.text ?? '';
    expect(page).toContain('# Contract details');
    expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
  });
});
