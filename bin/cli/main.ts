import { environmentOfThis } from '../settings/env-file.ts';
import { CommandError, UsageError } from './command-error.ts';
import type { Home } from './home.ts';
import { didYouMean, parseWords } from './near-word.ts';
import {
  findOperatorTarget,
  findSandbox,
  findTarget,
  OPERATOR_FLAGS,
  SANDBOX_FLAGS,
  TARGET_FLAGS,
  withTenant,
} from './target.ts';
import type { Engine } from '../../packages/typescript/src/index.ts';
import type { Target } from './target.ts';

/*
 * Each command loads its own modules when it is run: all of them together take a second of the processor.
 * test/bin/command-modules.test.ts holds what each one loads.
 */

const text = { type: 'string' } as const;
const FORWARD_FLAGS = { forward: text, secret: text } as const;

/** Runs with the words behind its own name. Returns its exit code when that is not 0. */
type Command = (words: string[], home: Home, stopping: AbortSignal) => Promise<number | void>;

const COMMANDS: Record<string, Command> = {
  async env(words, { config }) {
    parseWords({ args: words, options: {} });
    const { shellEnvironment } = await import('./env.ts');
    const { lines, notes } = await shellEnvironment(config);
    lines.forEach(say);
    // The shell evaluates what is printed; what a person should know goes past it.
    for (const note of notes) console.error(note);
  },

  async call(words, { config }) {
    const options = { url: text, 'api-key': text, header: { type: 'string', multiple: true } } as const;
    const { values, positionals } = parseWords({ args: words, options, allowPositionals: true });
    const { call } = await import('./call.ts');
    return call(positionals, values, config, { say, note: (line) => console.error(line) });
  },

  async listen(words, home, stopping) {
    const options = { ...TARGET_FLAGS, ...FORWARD_FLAGS, events: text, since: text };
    const { values } = parseWords({ args: words, options });
    const [{ listen, readSince, readTypes }, { receiverOf }] = await Promise.all([
      import('./listen.ts'),
      import('./forward.ts'),
    ]);
    const receiver = values.forward === undefined ? null : await receiverOf(values.forward, values.secret, home);
    const [types, since] = [readTypes(values.events), readSince(values.since)];
    const target = await findTarget(values, home.config);
    const client = await clientOf(target);
    say(`Listening to ${target.url}${receiver === null ? '' : `, forwarding to ${receiver.url}`}. Stop with Ctrl-C.`);
    if (receiver !== null && receiver.note !== null) say(receiver.note);
    await listen({ client, receiver, types, since, stopping, say });
  },

  async resend(words, home) {
    const options = { ...TARGET_FLAGS, ...FORWARD_FLAGS };
    const { values, positionals } = parseWords({ args: words, options, allowPositionals: true });
    const id = onlyWord(positionals, 'the id of the event');
    if (values.forward === undefined) throw new UsageError('Name the target: --forward URL.');
    const [{ resend }, { receiverOf }] = await Promise.all([import('./listen.ts'), import('./forward.ts')]);
    const receiver = await receiverOf(values.forward, values.secret, home);
    if (receiver.note !== null) say(receiver.note);
    const client = await clientOf(await findTarget(values, home.config));
    const { isTaken } = await resend({ client, receiver, say }, id, 1);
    return isTaken ? 0 : 1;
  },

  async 'parked-events'(words, { config }) {
    const options = { ...OPERATOR_FLAGS, all: { type: 'boolean' } } as const;
    const { values, positionals } = parseWords({ args: words, options, allowPositionals: true });
    const client = await clientOf(await findOperatorTarget(values, config));
    const { parkedEvents } = await import('./parked-events.ts');
    await parkedEvents(positionals, values.all ?? false, { client, say });
  },

  async 'rotate-encryption-key'(words, { config }) {
    const { values } = parseWords({ args: words, options: OPERATOR_FLAGS });
    const client = await clientOf(await findOperatorTarget(values, config));
    const { rotateEncryptionKey } = await import('./rotate-encryption-key.ts');
    await rotateEncryptionKey(client, say);
  },

  async trigger(words, { config }) {
    const options = { ...TARGET_FLAGS, ...SANDBOX_FLAGS, endpoint: text, from: text, text };
    const { values, positionals } = parseWords({ args: words, options, allowPositionals: true });
    const event = onlyWord(positionals, 'the event');
    const client = await clientOf(withTenant(await findTarget(values, config), values));
    const [{ trigger }, { SandboxPeople }] = await Promise.all([import('./trigger.ts'), import('./sandbox.ts')]);
    await trigger(event, {
      client,
      people: async () => SandboxPeople.of(client, await findSandbox(values, config)),
      endpointId: values.endpoint ?? null,
      from: values.from ?? '+15550100078',
      text: values.text ?? 'Hello from "engine trigger"',
      say,
    });
  },

  async status(words, home) {
    const { values } = parseWords({ args: words, options: { json: { type: 'boolean' } } });
    const { status } = await import('./status/status.ts');
    return status(home, { json: values.json ?? false, say });
  },

  async import(words, { config }) {
    const { values, positionals } = parseWords({
      args: words,
      options: { agency: text, tenant: text },
      allowPositionals: true,
    });
    const path = onlyWord(positionals, 'the file');
    const { agency: agencyId, tenant: tenantId } = values;
    if (agencyId === undefined || tenantId === undefined)
      throw new UsageError('Name the target: --agency ID --tenant ID.');
    const { runImport } = await import('./import-tenant.ts');
    await runImport(config, { path, agencyId, tenantId }, say);
  },

  async doctor(words, home) {
    const flag = { type: 'boolean' } as const;
    const options = { json: flag, repair: flag };
    const { values, positionals } = parseWords({ args: words, options, allowPositionals: true });
    if (values.repair === true) {
      const { repair } = await import('./doctor/repair.ts');
      return repair(positionals, home, say);
    }
    if (positionals.length > 0) throw new UsageError('A repair needs --repair; without it, give no name.');
    const { doctor } = await import('./doctor/doctor.ts');
    return doctor(home, { json: values.json ?? false, say });
  },

  sql: async (words, home) => (await import('./sql.ts')).runSql(words, home, say),

  temporal: async (words, home) => (await import('./temporal.ts')).runTemporal(words, home),
};

/** These commands pass their words on, also `--help`. */
const PASSING_ON: readonly string[] = ['temporal'];

const VERSION_WORDS: readonly string[] = ['--version', '-v', 'version'];

/** The words that start a process, which `bin/main.ts` runs. */
const STARTING: readonly string[] = ['api', 'worker'];

/** Says that there is no such command, and which one was probably meant. */
export function unknownCommand(words: string[]): string {
  const near = didYouMean(words[0] ?? '', [...Object.keys(COMMANDS), ...STARTING]);
  return `There is no "${words.join(' ')}".${near} Start with nothing, "api" or "worker", or see "./engine --help".`;
}

/** Runs a command of the command line and returns its exit code, or undefined for a word that is no command. */
export async function runCommand(words: string[], stopping: AbortSignal): Promise<number | undefined> {
  const [name = '', ...rest] = words;
  const asksForHelp = words.includes('--help') || words.includes('-h');
  if (name === 'help' || (asksForHelp && !PASSING_ON.includes(name))) {
    say((await import('./usage.ts')).USAGE);
    return 0;
  }
  if (VERSION_WORDS.includes(name)) {
    say(await (await import('./about.ts')).versions(environmentOfThis()));
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return undefined;
  try {
    const [{ loadConfig }, { findHome }] = await Promise.all([import('../../config/config.ts'), import('./home.ts')]);
    return (await command(rest, findHome(loadConfig()), stopping)) ?? 0;
  } catch (error) {
    if (error instanceof UsageError || isBadFlag(error)) {
      console.error(`${error.message}\n"./engine --help" lists the commands.`);
      return 2;
    }
    const sentence = error instanceof CommandError ? error.message : await sentenceOf(error);
    if (sentence === null) throw error;
    console.error(sentence);
    return 1;
  }
}

function onlyWord([word, ...others]: string[], what: string): string {
  if (word === undefined || others.length > 0) throw new UsageError(`Name ${what}, and nothing else.`);
  return word;
}

/** The codes by which node refuses flags that it does not know. */
function isBadFlag(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}

function say(line: string): void {
  console.log(line);
}

// The client is loaded by the first call, because most errors and some commands come without one.
const sdk = () => import('../../packages/typescript/src/index.ts');

/** A client for the agency and tenant that the target names. A command that fails says so at once. */
async function clientOf({ url, key, isPsk = false, agencyId, tenantId }: Target): Promise<Engine> {
  const { Engine } = await sdk();
  return new Engine({ url, ...(isPsk ? { psk: key } : { key }), agencyId, tenantId, retries: 0 });
}

/** Says why a call of the engine has failed; null for an error that is none of its answers. */
async function sentenceOf(error: unknown): Promise<string | null> {
  const { EngineError } = await sdk();
  if (!(error instanceof EngineError)) return null;
  const { code, status, detail, errors } = error;
  if (code === 'unreachable' || code === 'timed_out') {
    return `${detail} Is it running? Start it with "npm start", or give its address with --url.`;
  }
  if (code === 'unexpected_answer') return `${detail} It is no engine, or a proxy answered instead.`;
  const fields = errors.map(({ pointer, message }) => `\n  ${pointer} ${message}`).join('');
  return `The engine answered ${status}: ${detail}${fields}`;
}
