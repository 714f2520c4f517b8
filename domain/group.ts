/** The roles of a group's members. */
export const GROUP_ROLES = ['participant', 'admin', 'superadmin'] as const;
export type GroupRole = (typeof GROUP_ROLES)[number];

/** Somebody in a group, by the address under which the network shows them there. */
export interface GroupMember {
  chatId: string;
  /** The phone behind a hidden id, where the network names it. */
  phoneChatId: string | null;
  role: GroupRole;
}

/** A group as the network shows it. */
export interface NetworkGroup {
  name: string | null;
  members: readonly GroupMember[];
}
