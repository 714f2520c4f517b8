import { makeConsoleLink } from '../../db/tenants/console-link.ts';
import type { NewConsoleLink } from '../../db/tenants/console-link.ts';
import type { Tx } from '../../db/engine/tx.ts';
import type { ConsolePage } from '../../domain/console/pages.ts';
import { EngineError } from '../../domain/error.ts';
import type { KeyScope } from '../../domain/tenants/api-key.ts';
import type { KeyHolder } from '../route/caller.ts';
import { endOfMade } from '../route/maker-seen.ts';
import { scopesToGive } from './link-scopes.ts';

type WantedLink = Omit<NewConsoleLink, 'by' | 'loginId' | 'pages' | 'scopes' | 'expiresAt'> & {
  scopes: readonly KeyScope[] | undefined;
  pages: readonly [ConsolePage, ...ConsolePage[]];
  expiresInSeconds: number;
};

interface MadeLink {
  id: string;
  url: string;
  expiresAt: Date;
}

export type ConsoleLinks = ReturnType<typeof createConsoleLinks>;

/** Makes links into the console. */
export function createConsoleLinks({ publicUrl, masterKey }: { publicUrl: string; masterKey: string | undefined }) {
  /** A link ends with the key that made it, so its row names the key. */
  function makerOf({ kind, keyId }: KeyHolder): NewConsoleLink['by'] {
    if (kind !== 'master') return { keyId };
    if (masterKey === undefined) throw new EngineError('forbidden', 'The engine no longer has a master key.');
    return { masterKey };
  }

  return {
    /** The operator's own logins and links are known by it. */
    masterKey,
    async make(tx: Tx, { expiresInSeconds, scopes, ...link }: WantedLink, caller: KeyHolder): Promise<MadeLink> {
      const expiresAt = endOfMade(caller, new Date(tx.now.getTime() + expiresInSeconds * 1_000));
      const given = scopes ?? scopesToGive(caller.scopes);
      const made = { by: makerOf(caller), ...(caller.login && { loginId: caller.login.id }) };
      const { id, ticket } = await makeConsoleLink(tx, { ...link, scopes: given, ...made, expiresAt });
      // The engine says who may frame the page before it knows the ticket, which browsers do not send.
      const embed = link.embedIn.length === 0 ? '' : `?embed=${id}`;
      return { id, url: `${publicUrl}/console/${link.pages[0]}${embed}#ticket=${ticket}`, expiresAt };
    },
  };
}
