import { findHome } from '../../bin/cli/home.ts';
import { loadConfig } from '../../config/config.ts';
import { EngineProcess, newMachine, removeMachine } from './engine-process.ts';
import type { Machine } from './engine-process.ts';
import { tellStory } from './tell-story.ts';
import { findTarget, readFlags, USAGE } from './target.ts';
import { StepFailed, Terminal } from './terminal.ts';

const terminal = new Terminal();
const startedAt = performance.now();
try {
  await main(process.argv.slice(2));
  if (terminal.steps > 0)
    terminal.say(`\nAll ${terminal.steps} steps went as promised, in ${seconds()} s. Nobody real was written to.`);
} catch (error) {
  const story = error instanceof StepFailed ? `${error.message}. The steps after it were not tried.` : String(error);
  process.stderr.write(`\n${story} (after ${seconds()} s)\n`);
  process.exitCode = 1;
}

async function main(words: string[]): Promise<void> {
  const flags = readFlags(words);
  if (flags.help) return terminal.say(USAGE);
  const config = loadConfig();
  if (!flags.start) return tellStory(await findTarget(flags, findHome(config).config), terminal);
  terminal.say('Starting an engine of its own: PostgreSQL, Temporal, sandbox, worker and API …');
  const machine = await newMachine(config.environment);
  try {
    await onOwnEngine(machine, async () => {
      const { dataDir, url: publicUrl, sandboxUrl } = machine;
      const target = await findTarget(flags, { dataDir, publicUrl, sandboxPort: Number(new URL(sandboxUrl).port) });
      await tellStory(target, terminal);
    });
  } finally {
    await removeMachine(machine);
  }
}

async function onOwnEngine(machine: Machine, act: () => Promise<void>): Promise<void> {
  const engine = await EngineProcess.start(machine);
  try {
    await act();
  } finally {
    const code = await engine.stop();
    terminal.say(code === 0 ? '\nThe engine stopped in order.' : '\nThe engine did not stop in order.');
    if (code !== 0) process.exitCode = 1;
  }
}

function seconds(): string {
  return ((performance.now() - startedAt) / 1_000).toFixed(1);
}
