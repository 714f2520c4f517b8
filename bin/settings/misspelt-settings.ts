import { settings } from '../../config/config.ts';
import { editsAllowed, editsBetween } from '../../domain/words/edits-between.ts';

/**
 * Says which of these variables is no setting and near to one, such as PACE_PER_MINUT: it would do nothing, without a
 * word. Other unknown variables are left alone, because `.env` may serve other programs, too.
 */
export function misspeltSettings(variables: readonly string[]): string[] {
  const known = settings().map(({ variable }) => variable);
  return variables.flatMap((variable) => {
    if (known.includes(variable)) return [];
    const near = known.find(
      (each) => editsBetween(variable, each) <= Math.min(MAX_EDITS, editsAllowed(variable.length)),
    );
    return near === undefined ? [] : [`${variable} is not a setting. Did you mean ${near}?`];
  });
}

/** Long names differ by their words and not by letters: S3_ENDPOINT is near to no other. */
const MAX_EDITS = 2;
