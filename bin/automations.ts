import { Catalogue } from '../domain/automations/definition.ts';
import { StartupError } from '../local/embedded/startup-error.ts';

/** A place in the file of an automation. The pattern excludes the files of the same folder that define automations. */
const AUTHORS_FILE = /workflows\/automations\/(?!(?:define|index|template)\.ts)[\w-]+\.ts(?::\d+)?/g;

/**
 * Reads the automations of this release. They are loaded here alone, by the halves that run them: one whose file cannot
 * be loaded must not keep the command line from saying how the engine is.
 */
export async function readAutomations(): Promise<Catalogue> {
  try {
    return new Catalogue(await import('../workflows/automations/index.ts'));
  } catch (error) {
    throw unreadable(error);
  }
}

/** Names the line of the author's file. Its module is evaluated alone, so it is the outermost place of the stack. */
function unreadable(error: unknown): StartupError {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const place = stack.match(AUTHORS_FILE)?.at(-1) ?? 'workflows/automations';
  return new StartupError(`The automation in ${place} cannot be loaded: ${message}`, { cause: error });
}
