import type { EnvFile } from './env-file.ts';
import { settings } from '../../config/config.ts';
import { editsAllowed, editsBetween } from '../../domain/words/edits-between.ts';

/** Says what a person who starts the engine must know of it; null when there is nothing. No value is named. */
export function envFileNotice(file: EnvFile): string | null {
  switch (file.found) {
    case 'no':
      return null;
    case 'left':
      return `${file.path} is ignored in production and in tests: set the variables of the process instead.`;
    case 'read':
      if (file.variables.length === 0) return null;
      return [
        `Settings from ${file.path}: ${file.variables.toSorted().join(', ')}`,
        ...misspeltSettings(file.variables).map((problem) => `${file.path}: ${problem}`),
      ].join('\n  ');
  }
}

/**
 * Says which of these variables is no setting and near to one, such as PACE_PER_MINUT: it would do nothing, without a
 * word. Other unknown variables are left alone, because `.env` may serve other programs, too.
 */
function misspeltSettings(variables: readonly string[]): string[] {
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
