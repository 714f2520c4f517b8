import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { cycleProblems, withModules } from '../../tools/modules/page.ts';
import { misplaced, readTree } from '../../tools/modules/tree.ts';
import type { Tree } from '../../tools/modules/tree.ts';
import { lint } from './lint.ts';
import { ROOT, sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';

const tree = readTree(ROOT);
const sources = sourceFiles();
const file = (path: string, text: string): SourceFile => ({ path, text });

describe('the order of modules', () => {
  it('knows every folder of this tree', () => {
    expect(tree.root).toHaveLength(16);
    expect(misplaced(tree)).toEqual([]);
  });

  const planted: { title: string; wrong: Tree; says: RegExp }[] = [
    {
      title: 'a folder at the root',
      wrong: { ...tree, root: [...tree.root, 'billing'] },
      says: /^The folder billing is missing from tools\/modules\/order\.ts: add it to ENGINE .* BESIDE\.$/,
    },
    {
      title: 'a module',
      wrong: { ...tree, modules: { ...tree.modules, db: [...(tree.modules['db'] ?? []), 'billing'] } },
      says: /^The module db\/billing is missing from tools\/modules\/order\.ts: add it to a line of ORDER\.db /,
    },
    {
      title: 'a module in a folder that has none',
      wrong: { ...tree, modules: { ...tree.modules, worker: ['billing'] } },
      says: /^The module worker\/billing is missing from /,
    },
    {
      title: 'a module that is gone',
      wrong: {
        ...tree,
        modules: { ...tree.modules, db: (tree.modules['db'] ?? []).filter((name) => name !== 'media') },
      },
      says: /orders db\/media, which does not exist: remove it from ORDER\.db\.$/,
    },
  ];

  it.each(planted)('says what to do about $title', ({ wrong, says }) => {
    expect(misplaced(wrong)).toEqual([expect.stringMatching(says)]);
  });

  it('fails the lint while a module is missing from it', async () => {
    await expect(lint(new Map([['db/billing/a.ts', 'export const a = 1;']]))).rejects.toThrow();
  });
});

describe('imports', () => {
  it('form no cycle in this tree: of files with types included, and of modules by value', () => {
    expect(cycleProblems(sources)).toEqual([]);
  });

  it('form a cycle of files that the guard names, even if only types cross', () => {
    const cycle = [
      file('db/sending/a.ts', "import type { B } from './b.ts';\n"),
      file('db/sending/b.ts', "import type { A } from './a.ts';\n"),
    ];
    expect(cycleProblems(cycle)).toEqual([
      'These files import each other in a cycle: db/sending/a.ts, db/sending/b.ts. Move the shared part into a file that imports none of them.',
    ]);
  });

  it('form a cycle of modules through a file beside them, which the guard names', () => {
    const cycle = [
      file('db/tx.ts', "import { a } from './webhooks/a.ts';\n"),
      file('db/webhooks/b.ts', "import {\n  b,\n} from '../tx.ts';\n"),
      file('db/webhooks/a.ts', ''),
    ];
    expect(cycleProblems(cycle)).toEqual([
      expect.stringMatching(/^These modules import each other in a cycle: db\/tx\.ts, db\/webhooks\. /),
    ]);
  });

  it('form no cycle of modules while only types return', () => {
    const oneWay = [
      file('api/deps.ts', "import type { A } from './sending/a.ts';\n"),
      file('api/sending/b.ts', "import { deps } from '../deps.ts';\n"),
      file('api/sending/a.ts', ''),
    ];
    expect(cycleProblems(oneWay)).toEqual([]);
  });

  it('are found in every form', () => {
    const forms = [
      file('db/a.ts', "export * from './b.ts';\n"),
      file('db/b.ts', "const c = await import('./c.ts');\n"),
      file('db/c.ts', "import './a.ts';\n"),
    ];
    expect(cycleProblems(forms)).toHaveLength(2);
  });
});

describe('docs/extend/architecture.md', () => {
  const page = readFileSync(join(ROOT, 'docs/extend/architecture.md'), 'utf8');

  it('shows the modules and imports of this tree: run `npm run modules` after a change of these', () => {
    expect(withModules(page, sources)).toBe(page);
  });

  it('differs once an import between modules is new', () => {
    const more = [
      ...sources,
      file('api/console/zz.ts', "import { b } from '../automations/zz.ts';\n"),
      file('api/automations/zz.ts', ''),
    ];
    expect(withModules(page, more)).not.toBe(page);
  });

  it('must keep the lines around its generated part', () => {
    expect(() => withModules('# Architecture\n', sources)).toThrow('lacks the line');
  });
});
