import type { Engine } from '../state/fact.ts';
import type { Message } from '../state/message.ts';

/** Makes what the network says of a location, contacts or a poll; undefined for a message of another kind. */
export function loneContent({ location, vcards, poll }: Message): object | undefined {
  if (location) {
    const { latitude, longitude, title } = location;
    return { locationMessage: { degreesLatitude: latitude, degreesLongitude: longitude, name: title } };
  }
  if (vcards) {
    const cards = vcards.map((vcard) => ({ displayName: nameOn(vcard), vcard }));
    const [card] = cards;
    if (card && cards.length === 1) return { contactMessage: card };
    return { contactsArrayMessage: { displayName: `${cards.length} contacts`, contacts: cards } };
  }
  if (poll) {
    const options = poll.options.map((optionName) => ({ optionName }));
    const selectableOptionsCount = poll.multipleAnswers ? 0 : 1;
    return { pollCreationMessageV3: { name: poll.name, options, selectableOptionsCount } };
  }
  return undefined;
}

/** Makes the parts of a message that tell a location or contacts. The numbers of a location are strings there. */
export function toldContent({ location, vcards }: Message) {
  return {
    location: location
      ? {
          live: false,
          latitude: String(location.latitude),
          longitude: String(location.longitude),
          name: location.title,
          address: null,
          url: null,
          description: null,
          thumbnail: null,
        }
      : null,
    vCards: vcards ?? null,
  };
}

/** These kinds have no words, except that WEBJS puts a card or a question into the body. */
export function bodyOf(message: Message, engine: Engine): string | null {
  const { location, vcards, poll, body } = message;
  if (engine === 'WEBJS' && vcards) return vcards.join('\n');
  if (engine === 'WEBJS' && poll) return poll.name;
  return location || vcards || poll ? null : body;
}

export function nameOn(vcard: string): string {
  return /^FN:(.*)$/m.exec(vcard)?.[1] ?? 'vCard';
}

/** WEBJS' own word for the kind; undefined for a message of another kind. */
export function webjsLoneType({ location, vcards, poll }: Message): string | undefined {
  if (location) return 'location';
  if (vcards) return vcards.length === 1 ? 'vcard' : 'multi_vcard';
  return poll ? 'poll_creation' : undefined;
}
