import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { CommandError } from './command-error.ts';

/** A running engine, and the agency and tenant for which it is asked. */
export interface Target {
  url: string;
  key: string;
  /** True for the operator's own routes. Then `key` is the secret that these routes take. */
  isPsk?: boolean;
  agencyId: string | undefined;
  tenantId: string | undefined;
}

const text = { type: 'string' } as const;
/** The flags of every command that talks to an engine. */
export const TARGET_FLAGS = { url: text, 'api-key': text, agency: text, tenant: text } as const;
export const SANDBOX_FLAGS = { 'sandbox-url': text, 'sandbox-key': text } as const;

type Given<F extends object> = { [K in keyof F]?: string | undefined };

/** The commands that the start screen shows act for this agency and tenant. */
const SCREEN = { agencyId: 'demo', tenantId: 'shop' };

/**
 * Reads the target from the flags. Without a key it is the engine with its own master key, which acts for the agency of
 * the start screen unless the flags name another.
 */
export async function findTarget(flags: Given<typeof TARGET_FLAGS>, config: Config): Promise<Target> {
  const url = flags.url === undefined ? config.publicUrl : httpUrl(flags.url, '--url');
  const { agency: agencyId, tenant: tenantId } = flags;
  if (flags['api-key'] !== undefined) return { url, key: flags['api-key'], agencyId, tenantId };
  const key = config.engineApiKey ?? (await readSecret(config, 'engine-api-key', '--api-key'));
  return { url, key, agencyId: agencyId ?? SCREEN.agencyId, tenantId };
}

export const OPERATOR_FLAGS = { url: text, psk: text } as const;

/**
 * Reads the target for the operator's own routes. Unless the flags say otherwise, it is the engine of this machine with
 * its secret.
 */
export async function findOperatorTarget(flags: Given<typeof OPERATOR_FLAGS>, config: Config): Promise<Target> {
  const url = flags.url === undefined ? config.publicUrl : httpUrl(flags.url, '--url');
  const key = flags.psk ?? config.workflowEngineInternalPsk ?? (await readSecret(config, 'internal-psk', '--psk'));
  return { url, key, isPsk: true, agencyId: undefined, tenantId: undefined };
}

/**
 * Completes the target for a command that needs a tenant. Without a key or an agency in the flags, it is the tenant of
 * the start screen.
 */
export function withTenant(target: Target, flags: Given<typeof TARGET_FLAGS>): Target {
  const isScreens = flags['api-key'] === undefined && flags.agency === undefined;
  return isScreens ? { ...target, tenantId: target.tenantId ?? SCREEN.tenantId } : target;
}

export interface SandboxTarget {
  url: string;
  key: string;
}

export async function findSandbox(flags: Given<typeof SANDBOX_FLAGS>, config: Config): Promise<SandboxTarget> {
  const { 'sandbox-url': url, 'sandbox-key': key } = flags;
  if (url === undefined && config.backends.length > 0) {
    throw new CommandError(
      'BACKEND_URL or BACKENDS is set, so the engine does not use the sandbox of "npm start" and nothing was triggered. If it is a sandbox, give --sandbox-url and --sandbox-key.',
    );
  }
  return {
    url: url === undefined ? `http://127.0.0.1:${config.sandboxPort}` : httpUrl(url, '--sandbox-url'),
    key: key ?? (await readSecret(config, 'sandbox-api-key', '--sandbox-key')),
  };
}

export function httpUrl(given: string, flag: string): string {
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given.replace(/\/+$/, '');
  throw new CommandError(`${flag} must be an http or https address.`);
}

export async function readSecret({ dataDir }: Pick<Config, 'dataDir'>, name: string, flag: string): Promise<string> {
  try {
    return (await readFile(join(dataDir, name), 'utf8')).trim();
  } catch {
    throw new CommandError(
      `Start the engine first (npm start): there is no ${name} in ${dataDir}. If it runs elsewhere, run this there, set DATA_DIR, or give ${flag}.`,
    );
  }
}
