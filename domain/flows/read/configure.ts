import type { Trigger } from '../../automations/trigger.ts';
import type { Flow } from '../flow.ts';
import type { Problem } from '../json.ts';
import { below } from '../json.ts';
import { paramsSchema } from './params.ts';
import { triggerOf } from './trigger.ts';

/** Reads the parameters of a tenant, with their defaults, and makes the trigger that they give. */
export function configureFlow(
  flow: Flow,
  given: unknown,
): { params: Record<string, unknown>; trigger: Trigger } | { wrong: Problem[] } {
  const read = paramsSchema(flow).safeParse(given ?? {});
  if (!read.success) {
    return {
      wrong: read.error.issues.flatMap((issue) =>
        issue.code === 'unrecognized_keys'
          ? issue.keys.map((key) => ({
              pointer: below('/params', key),
              message: 'is not a parameter of this workflow',
            }))
          : [{ pointer: below('/params', ...issue.path), message: issue.message }],
      ),
    };
  }
  const found = triggerOf(flow.triggerTemplate, read.data);
  if ('trigger' in found) return { params: read.data, trigger: found.trigger };
  return {
    wrong: found.wrong.map(({ pointer, message }) => ({
      pointer: '/params',
      message: `make a trigger that is not valid: ${pointer} (${message})`,
    })),
  };
}
