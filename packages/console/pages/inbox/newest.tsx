import { t } from '../../parts/words/t.ts';

interface NewestProps {
  /** The number of messages that came while somebody read earlier ones. */
  count: number;
  /** Whether newer messages exist that are not loaded. */
  hasNewer: boolean;
  go: () => void;
}

/** Leads to the newest messages from earlier ones. It stands over the thread and moves nothing. */
export const Newest = ({ count, hasNewer, go }: NewestProps) => (
  <div class="newest" role="status">
    {(count > 0 || hasNewer) && (
      <button type="button" class="primary" onClick={go}>
        {count > 0 ? t('{0} new ↓', count) : t('Newest messages ↓')}
      </button>
    )}
  </div>
);
