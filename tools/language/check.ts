import { RULE_NAMES, RULES } from './rules.ts';
import type { RuleName, Text } from './rules.ts';
import { GROUPS } from './texts.ts';
import type { Group } from './texts.ts';

/**
 * The faults that a group may still have. A limit may only fall, and a group that is not here has none. Tables, code and
 * generated parts do not count.
 */
const LIMITS: Partial<Record<Group, Partial<Record<RuleName, number>>>> = {
  docs: { phrase: 0, opening: 0, long: 0, term: 3 },
};

export interface Verdict {
  group: Group;
  rule: RuleName;
  /** A line for each fault, with its place. */
  found: string[];
  limit: number;
}

/** Checks every text by every rule. */
export function checkLanguage(texts: Record<Group, Text[]>): Verdict[] {
  return GROUPS.flatMap((group) =>
    RULE_NAMES.map((rule) => ({
      group,
      rule,
      found: texts[group].flatMap(({ place, text }) => RULES[rule](text).map((fault) => `${place}: ${fault}.`)),
      limit: LIMITS[group]?.[rule] ?? 0,
    })),
  );
}
