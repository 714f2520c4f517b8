import { lookup as systemLookup, promises as dns } from 'node:dns';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Finds all addresses of a name. It is called as `dns.lookup` is. */
export type Resolver = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface NameServerOptions {
  /** The name servers to ask. The system's are asked unless a test names others. */
  servers?: readonly string[];
  /** The time limit of a response. */
  timeoutMs?: number;
  hostsFile?: string;
}

/**
 * This time and the check of the name server together stay below a connection's timeout, because a connection that
 * times out would count as the receiver's fault.
 */
const TIMEOUT_MS = 3_600;
/** A name is asked for this many times. The second try waits twice as long as the first. */
const TRIES = 2;
/** The names of this machine are read again after this time. */
const HOSTS_FOR_MS = 10_000;
/** The last check of our name server is believed for this long, whether the server answered or not. */
const ALIVE_FOR_MS = 10_000;
/** These codes say that the name has no such addresses, which is an answer, too. */
const NONE = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EREFUSED', 'ENOTIMP', 'EFORMERR']);

/**
 * Finds addresses without `getaddrinfo`. That function waits on one of the few threads that files and compression need
 * too, so a few names whose servers do not answer would stop the process. Only names of this machine and names without
 * a dot are asked of the system, because no tenant can make these slow.
 */
export function createNameServer({
  servers,
  timeoutMs = TIMEOUT_MS,
  hostsFile = '/etc/hosts',
}: NameServerOptions = {}): Resolver {
  let resolver = newResolver();
  let hosts: { names: ReadonlySet<string>; readAt: number } | undefined;
  let health: { alive: Promise<boolean>; askedAt: number } | undefined;

  function newResolver(): dns.Resolver {
    const made = new dns.Resolver({ timeout: timeoutMs / 3, tries: TRIES });
    if (servers) made.setServers(servers);
    return made;
  }

  function isOfThisMachine(name: string): boolean {
    if (!name.includes('.') || name.endsWith('.localhost') || isIP(name) !== 0) return true;
    if (!hosts || hosts.readAt < performance.now() - HOSTS_FOR_MS) {
      hosts = { names: readHosts(hostsFile), readAt: performance.now() };
    }
    return hosts.names.has(name);
  }

  async function find(name: string): Promise<LookupAddress[]> {
    // A slow name starts the check of the name server early, so that the check is over when the name gives up.
    const slow = setTimeout(() => void isAlive(), timeoutMs / 6);
    const asked = await Promise.all([inTime(resolver.resolve4(name)), inTime(resolver.resolve6(name))]);
    clearTimeout(slow);
    const found = asked.flatMap((answer, place) =>
      Array.isArray(answer) ? answer.map((address) => ({ address, family: place === 0 ? 4 : 6 })) : [],
    );
    if (found.length > 0) return found;
    const isAnswered = asked.every((answer) => Array.isArray(answer) || NONE.has(answer));
    if (isAnswered || (await isAlive())) throw failure('ENOTFOUND', name);
    throw failure('EAI_AGAIN', name);
  }

  /**
   * Tells whether our name server works, by a question for the root of all names. If it works, a name that has no
   * answer is itself at fault.
   */
  function isAlive(): Promise<boolean> {
    if (!health || health.askedAt < performance.now() - ALIVE_FOR_MS) {
      health = { alive: askForRoot(), askedAt: performance.now() };
    }
    return health.alive;
  }

  async function askForRoot(): Promise<boolean> {
    const answer = await inTime(resolver.resolveNs('.'));
    if (Array.isArray(answer) || NONE.has(answer)) return true;
    // The machine may have been given other name servers since, so a new resolver reads them.
    resolver = newResolver();
    return false;
  }

  /** Returns what was found, or the code that says why nothing was. */
  function inTime(asked: Promise<string[]>): Promise<string[] | string> {
    return Promise.race([asked.catch(codeOf), pause(timeoutMs, 'ETIMEOUT', { ref: false })]);
  }

  return (hostname, options, callback) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    if (isOfThisMachine(name)) {
      systemLookup(hostname, options, callback);
      return;
    }
    find(name).then(
      (addresses) => callback(null, addresses),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

function readHosts(path: string): ReadonlySet<string> {
  try {
    // The file is read synchronously, because asynchronous reads use the threads that may be stuck.
    const lines = readFileSync(path, 'utf8').split('\n');
    return new Set(lines.flatMap((line) => line.replace(/#.*/, '').toLowerCase().trim().split(/\s+/).slice(1)));
  } catch {
    return new Set();
  }
}

function codeOf(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : '';
}

function failure(code: 'ENOTFOUND' | 'EAI_AGAIN', name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code} ${name}`), { code });
}
