import { readFile } from 'node:fs/promises';

/** Finds the account that owns nothing on this machine. */
export async function nobody(): Promise<{ uid: number; gid: number }> {
  const [, , uid, gid] = /^nobody:.*$/m.exec(await readFile('/etc/passwd', 'utf8'))?.[0].split(':') ?? [];
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) };
}
