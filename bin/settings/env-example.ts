import { writeFileSync } from 'node:fs';
import { settings } from '../../config/config.ts';

/** Returns the settings as `.env.example` shows them. */
export function envExample(): string {
  const blocks = settings().map(({ variable, description, production, schema }) => {
    const standard = schema.safeParse(undefined);
    const { data } = standard;
    const value = typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean' ? String(data) : '';
    const note = production === undefined ? '' : ' Required in production.';
    return `# ${description}${note}\n# ${variable}=${value}\n`;
  });
  return `# Every setting with its default. "npm start" needs none of them.\n# Copy this file to .env: every start and command reads it, except in production. The environment takes precedence.\n\n${blocks.join('\n')}`;
}

if (import.meta.main) writeFileSync(new URL('../../.env.example', import.meta.url), envExample());
