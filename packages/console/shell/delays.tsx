import { useLoad } from '../parts/use-load.ts';
import { delayText } from './delay-words.ts';
import { engineOfAll, who } from './engine.ts';
import { href } from './location.ts';
import { t } from '../parts/words/t.ts';

const LOOK_MS = 15_000;

/** Says below the menu that the engine is late. Its stream of events may be live meanwhile. */
export const Delays = () => {
  const { data } = useLoad({ load: (signal) => engineOfAll.health.read({ signal }), every: LOOK_MS, isBeside: true });
  const text = data === undefined ? null : delayText(data);
  return (
    <div class="delays" role="status">
      {text !== null && (
        <p>
          {text} {who.value?.kind !== 'link' && <a href={href('/operations/health')}>{t('Details')}</a>}
        </p>
      )}
    </div>
  );
};
