import { z } from 'zod';
import { chatKind } from '../../../../domain/network/chat-id.ts';
import { addressOf } from '../message-id.ts';
import type { RawMessage } from '../raw-message.ts';
import { Address } from '../raw.ts';
import { valuesOf } from '../spelling/read.ts';

/** A group has no more members, and a report from anywhere must not fill a row. */
const MAX_PEOPLE = 1_024;

const Listed = z.array(z.unknown()).catch([]);

/** Reads the addresses of the people whom a message names with @. Odd entries are left out. */
export function mentionsOf(raw: RawMessage): string[] {
  const people = valuesOf(raw, 'mentions')
    .flatMap((value) => Listed.parse(value).slice(0, MAX_PEOPLE))
    .map((person) => addressOf(Address.parse(person)))
    .filter((address) => address !== null)
    .filter((address) => ['phone', 'lid'].includes(chatKind(address)));
  return [...new Set(people)].slice(0, MAX_PEOPLE);
}
