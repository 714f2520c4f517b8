import type { EnvFile } from './env-file.ts';
import { misspeltSettings } from './misspelt-settings.ts';

/** Says what a person who starts the engine must know of it; null when there is nothing. No value is named. */
export function envFileNotice(file: EnvFile): string | null {
  switch (file.found) {
    case 'no':
      return null;
    case 'left':
      return `${file.path} is not read in production or in tests: give the process its variables itself.`;
    case 'read':
      if (file.variables.length === 0) return null;
      return [
        `Settings from ${file.path}: ${file.variables.toSorted().join(', ')}`,
        ...misspeltSettings(file.variables).map((problem) => `${file.path}: ${problem}`),
      ].join('\n  ');
  }
}
