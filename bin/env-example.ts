import { writeFileSync } from 'node:fs';
import { settings } from '../config.ts';

/** Returns the settings as `.env.example` shows them. */
export function envExample(): string {
  const blocks = settings().map(({ variable, description, production, schema }) => {
    const standard = schema.safeParse(undefined);
    const { data } = standard;
    const value = typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean' ? String(data) : '';
    const note = production === undefined ? '' : ' Required in production.';
    return `# ${description}${note}\n# ${variable}=${value}\n`;
  });
  return `# Every setting, each with its default. Nothing here is needed for "npm start".\n# A copy named .env is read by every start and command, but not in production; the environment counts more.\n\n${blocks.join('\n')}`;
}

if (import.meta.main) writeFileSync(new URL('../.env.example', import.meta.url), envExample());
