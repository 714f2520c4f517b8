import { z } from 'zod';
import type { ContactCard } from '../../../../domain/network/message-content.ts';
import { contentIn } from './inner.ts';
import type { RawMessage } from '../raw-message.ts';
import { Text } from '../raw.ts';
import { readVcard } from './vcard.ts';

const Card = z.object({ vcard: Text });
const Cards = z.object({ contacts: z.array(Card) });
const Vcards = z.array(z.unknown()).catch([]);

/** A message carries up to so many cards on the network. */
const MAX_CARDS = 257;

/** Reads the contact cards of a message. */
export function contactsOf(raw: RawMessage): ContactCard[] {
  const told = Vcards.parse(raw.vCards).map((vcard) => Text.parse(vcard));
  const content = contentIn(raw) ?? {};
  const one = Card.safeParse(content['contactMessage']).data;
  const several = Cards.safeParse(content['contactsArrayMessage']).data;
  const described = (one ? [one] : (several?.contacts ?? [])).map(({ vcard }) => vcard);
  return (told.length > 0 ? told : described)
    .slice(0, MAX_CARDS)
    .flatMap((vcard) => (vcard === null ? [] : [readVcard(vcard)]));
}
