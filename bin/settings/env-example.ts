import { writeFileSync } from 'node:fs';
import type { z } from 'zod';
import { settings } from '../../config/config.ts';

/** Returns the settings as `.env.example` shows them. */
export function envExample(): string {
  const blocks = settings().map(({ variable, description, production, schema }) => {
    const value = defaultOf(schema);
    const note = production === undefined ? '' : ' Required in production.';
    return `# ${description}${note}\n# ${variable}=${value}\n`;
  });
  return `# Every setting with its default. "npm start" needs none of them.\n# Every start and command reads a copy named .env, except in production; the environment takes precedence.\n\n${blocks.join('\n')}`;
}

/** Returns the default of a setting as its variable is written; empty if it has none. */
export function defaultOf(schema: z.ZodType): string {
  const { data } = schema.safeParse(undefined);
  return typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean' ? String(data) : '';
}

if (import.meta.main) writeFileSync(new URL('../../.env.example', import.meta.url), envExample());
