/** Names somebody who manages a group. */
export function adminKey(group: string, member: string): string {
  return `${group} ${member}`;
}
