import { useLoad } from '../../parts/use-load.ts';
import { engine } from '../../shell/engine.ts';
import { phoneOf } from './person-words.ts';

const bare = (address: string): string => address.replace(/@(c\.us|s\.whatsapp\.net)$/, '');

/** Names the people of a group; a person without a name there is their number. */
export const useNames = (id: string, isGroup: boolean): ((address: string) => string) => {
  const { data } = useLoad({
    load: async (signal) => {
      if (!isGroup) return new Map<string, string>();
      const { participants } = await engine.value.conversations.listParticipants(id, {}, { signal });
      return new Map(
        participants.flatMap(({ chatId, phone, name }) =>
          name === null ? [] : [bare(chatId), ...(phone === null ? [] : [phone])].map((address) => [address, name]),
        ),
      );
    },
    deps: [id, isGroup],
    on: isGroup ? ['group.updated'] : [],
    when: (event) => event.conversationId === id,
    isBeside: true,
  });
  return (address) => data?.get(bare(address)) ?? phoneOf(bare(address));
};
