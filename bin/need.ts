import { StartupError } from '../local/embedded/startup-error.ts';

/** Returns a setting that this half of the engine cannot do without, or says which one is missing. */
export function need(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new StartupError(`${name} is not set: set it, because only "npm start" sets it by itself.`);
}
