import type { Scope } from '../../domain/scope.ts';
import { claimMessage } from '../../db/claim.ts';
import type { Tx } from '../../db/database.ts';
import { listAiInFlight } from '../../db/takeover.ts';
import { REAL } from './takeover-scene.ts';
import type { Parts } from './takeover-scene.ts';

type Change = readonly [phrase: string, by: string];

/** What the key of another session would see. */
const elsewhere = (scope: Scope): Scope => ({ ...scope, sessionId: 'ses_of_another' });

const NO_FENCE: Change = ['(c.epoch = m.conversation_epoch', '(true or c.epoch = m.conversation_epoch'];
const MODE_ONLY: Change = ['c.epoch = m.conversation_epoch and t.ai_epoch = m.tenant_epoch and', ''];
const NO_SHARE: Change = ['for share of c, t', ''];
const NO_UPDATE: Change = ['for update of m', ''];

/** The fence with one of its parts taken away: what a proof must notice. */
export const MUTANTS: Readonly<Record<string, Parts>> = {
  'the claim asks nobody': { ...REAL, claim: changed(NO_FENCE) },
  'the claim looks at the mode and not at the epochs': { ...REAL, claim: changed(MODE_ONLY) },
  'the claim locks nothing': { ...REAL, claim: changed(NO_SHARE, NO_UPDATE) },
  'the answer does not look for what is on its way': { ...REAL, look: () => Promise.resolve([]) },
  "the tenant's answer looks at the session of a key": {
    ...REAL,
    look: (queries, scope, id) => listAiInFlight(queries, id === null ? elsewhere(scope) : scope, id),
  },
};

function changed(...changes: Change[]): typeof claimMessage {
  return async (tx, messageId, claim) => {
    const missing = new Set(changes);
    const result = await claimMessage({ ...tx, sql: rewritten(tx.sql, changes, missing) }, messageId, claim);
    if (missing.size > 0) throw new Error(`The claim has no "${[...missing].join('", "')}" any more.`);
    return result;
  };
}

function rewritten(sql: Tx['sql'], changes: readonly Change[], missing: Set<Change>): Tx['sql'] {
  return sql.withPlugin({
    transformQuery({ node }) {
      if (node.kind !== 'RawNode') return node;
      const sqlFragments = node.sqlFragments.map((fragment) =>
        changes.reduce((text, change) => {
          if (text.includes(change[0])) missing.delete(change);
          return text.replace(change[0], change[1]);
        }, fragment),
      );
      return { ...node, sqlFragments };
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
}
