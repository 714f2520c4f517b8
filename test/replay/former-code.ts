const IS_NEW = 'context.version >= 2';

/**
 * The bundle as it was when the automations had version 1; or, with `isForAll`, as it would be if their version 2 were for
 * all executions, also for those that began before.
 */
export function withVersions(code: string, { isForAll }: { isForAll: boolean }): string {
  if (!code.includes(IS_NEW)) throw new Error(`No automation asks whether ${IS_NEW}.`);
  const version = isForAll ? code : code.replaceAll(/^( +version): 2,$/gm, '$1: 1,');
  return version.replaceAll(IS_NEW, String(isForAll));
}
