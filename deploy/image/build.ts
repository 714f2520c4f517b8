import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { BuildContext } from './context.ts';

/** The files of the image, and the way its containers run. */
export interface Image {
  /** The directory that is /app in the container. */
  root: string;
  environment: Record<string, string>;
  command: string[];
  healthCheck: string[];
}

interface Builder {
  /** The checkout that the image is built from. */
  source: string;
  /** An empty directory for the stages. */
  directory: string;
  /** Runs a shell command of the Dockerfile. */
  run: (command: string, cwd: string) => Promise<void>;
}

const Words = z.array(z.string()).min(1);
/** These need the base image or a container; the command does without them. */
const WITHOUT_EFFECT = new Set(['WORKDIR', 'EXPOSE', 'USER']);

/** Runs the steps of the Dockerfile: each stage is a directory, and this machine serves as the base image. */
export async function buildImage({ source, directory, run }: Builder): Promise<Image> {
  const context = BuildContext.of(source);
  const files = context.files(source);
  const stages = new Map<string, string>();
  let image: Image = { root: '', environment: {}, command: [], healthCheck: [] };

  for (const { word, rest } of instructions(readFileSync(join(source, 'Dockerfile'), 'utf8'))) {
    if (word === 'FROM') {
      const name = / AS (?<name>\S+)$/i.exec(rest)?.groups?.['name'] ?? 'image';
      image = { root: join(directory, name), environment: {}, command: [], healthCheck: [] };
      mkdirSync(image.root);
      stages.set(name, image.root);
    } else if (word === 'COPY') copy(rest, image.root);
    else if (word === 'RUN') await run(rest, image.root);
    else if (word === 'ENV') image.environment = { ...image.environment, ...variables(rest) };
    else if (word === 'CMD') image.command = Words.parse(JSON.parse(rest));
    else if (word === 'HEALTHCHECK') image.healthCheck = Words.parse(JSON.parse(rest.replace(/^.*? CMD /, '')));
    else if (!WITHOUT_EFFECT.has(word)) throw new Error(`Dockerfile: the command does not know ${word}.`);
  }
  return image;

  function copy(rest: string, stage: string): void {
    const words = rest.split(/\s+/);
    const [to = '', ...froms] = words.filter((each) => !each.startsWith('--')).toReversed();
    const from = words.find((each) => each.startsWith('--from='))?.slice('--from='.length);
    for (const path of froms) {
      if (from !== undefined) put(join(stages.get(from) ?? '', path.replace(/^\/app\//, '')), target(path, to, stage));
      else if (path === '.') for (const file of files) put(join(source, file), join(stage, to, file));
      else if (!files.includes(path)) throw new Error(`Dockerfile: COPY names ${path}, which .dockerignore keeps out.`);
      else put(join(source, path), target(path, to, stage));
    }
  }
}

function instructions(dockerfile: string): { word: string; rest: string }[] {
  return dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => ({ word: line.split(' ', 1)[0] ?? '', rest: line.slice(line.indexOf(' ') + 1).trim() }));
}

function variables(rest: string): Record<string, string> {
  const pairs = rest.split(/\s+/).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  return Object.fromEntries(pairs);
}

/** Docker keeps a file's name below a folder, which a trailing slash or a dot marks. */
function target(path: string, to: string, stage: string): string {
  return to.endsWith('/') || to === '.' ? join(stage, to, basename(path)) : join(stage, to);
}

function put(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}
