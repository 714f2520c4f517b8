import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { hasCode } from '../../local/embedded/error-reason.ts';

/** The result of reading `.env` in the directory from which the engine starts. */
export type EnvFile =
  | { path: string; found: 'no' }
  /** The names of the variables that it has set. */
  | { path: string; found: 'read'; variables: string[] }
  /** It was left alone, because a deployment gives its processes their variables itself. */
  | { path: string; found: 'left' };

/** With these values of NODE_ENV, all settings come from the environment alone. */
const WITHOUT_FILE: readonly (string | undefined)[] = ['production', 'test'];

/** Reads `.env` of the directory from which the engine is started into the environment of this process. */
export function loadEnvFile(): EnvFile {
  return readEnvFile(process.env, process.cwd());
}

/** The environment of this process, for a command that needs so little of it that config/config.ts would take longer. */
export function environmentOfThis(): NodeJS.ProcessEnv {
  return process.env;
}

/**
 * Adds the variables of `.env` to the environment. A variable that is set there already keeps its value, also an empty
 * one, so that a command line can override the file.
 */
export function readEnvFile(environment: NodeJS.ProcessEnv, directory: string): EnvFile {
  const path = join(directory, '.env');
  const text = textOf(path);
  if (text === null) return { path, found: 'no' };
  if (WITHOUT_FILE.includes(environment['NODE_ENV'])) return { path, found: 'left' };
  const variables: string[] = [];
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (environment[name] !== undefined) continue;
    environment[name] = value;
    variables.push(name);
  }
  return { path, found: 'read', variables };
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // A file that cannot be read stops the start, because its settings would be missing without a word.
    if (hasCode(error, 'ENOENT', 'EISDIR')) return null;
    throw error;
  }
}
