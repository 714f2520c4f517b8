import { useLoad } from '../../parts/use-load.ts';
import { engine, who } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { mayOpen } from '../../shell/who.ts';
import { touched } from './touched.ts';
import { t } from '../../parts/words/t.ts';

const AT_ONCE = 100;
const LOOK_AGAIN_MS = 30_000;

/** Lists the scheduled messages, because the conversation hides them and a colleague might write the same again. */
export const Later = ({ id }: { id: string }) => {
  const { data } = useLoad({
    load: (signal) =>
      engine.value.messages.list({ conversationId: id, status: 'scheduled', limit: AT_ONCE }, { signal }),
    deps: [id, touched.value],
    keep: true,
    on: ['message.any', 'message.updated'],
    when: (event) => event.conversationId === id,
    every: LOOK_AGAIN_MS,
    isBeside: true,
  });
  const count = data?.messages.length ?? 0;
  if (count === 0) return null;
  const text =
    count === 1
      ? t('1 message is scheduled')
      : t('{0}{1} messages are scheduled', count, data?.hasMore ? t(' or more') : '');
  const mayLook = who.value !== null && mayOpen(who.value, { name: 'message' });
  return <p class="small quiet">{mayLook ? <a href={href('/message', { status: 'scheduled' })}>{text}</a> : text}</p>;
};
