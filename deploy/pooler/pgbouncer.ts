import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Debian's packages of PgBouncer 1.18, which knows no prepared statements, and of the library that it needs. */
const PACKAGES = 'pgbouncer libc-ares2';

/** A program with the variables that it needs. */
export interface Program {
  path: string;
  env: Record<string, string>;
}

/** Finds PgBouncer on the PATH. Otherwise it takes the program out of Debian's packages, without installing them. */
export async function findPgBouncer(directory: string, path: string): Promise<Program> {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore', env: { PATH: path } });
    return { path: 'pgbouncer', env: { PATH: path } };
  } catch {
    const place = join(directory, 'pgbouncer');
    await mkdir(place);
    const shell = (command: string): void =>
      void execFileSync('sh', ['-c', command], { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] });
    const download = `apt-get download -q ${PACKAGES}`;
    shell(`${download} || { apt-get update -q && ${download}; }`);
    shell('for package in *.deb; do dpkg-deb -x "$package" .; done');
    shell('ln -s usr/lib/*-linux-gnu lib-here');
    // Another user runs it, who lists nothing.
    await chmod(place, 0o755);
    return { path: join(place, 'usr/sbin/pgbouncer'), env: { PATH: path, LD_LIBRARY_PATH: join(place, 'lib-here') } };
  }
}

/**
 * Writes the settings of a pooler in transaction mode, as `docs/operate/database.md` shows them, and returns their
 * file. Each connection to the server is one that the processes share.
 */
export async function writeSettings(
  directory: string,
  { databaseUrl, port, connections }: { databaseUrl: string; port: number; connections: number },
): Promise<string> {
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl);
  const words = {
    host: hostname,
    port: serverPort,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    dbname: pathname.slice(1),
    connect_query: CONNECT_QUERY,
  };
  const quoted = Object.entries(words).map(([name, value]) => `${name}='${value.replaceAll("'", "''")}'`);
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
${pathname.slice(1)} = ${quoted.join(' ')}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
`,
  );
  await chmod(file, 0o644);
  return file;
}

/** The settings that a process gives its own connections, for those of the pooler. */
const CONNECT_QUERY =
  "set timezone = 'UTC'; set statement_timeout = '30s'; set idle_in_transaction_session_timeout = '30s'";
