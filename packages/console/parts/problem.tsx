import type { Failure } from './failure.ts';
import { t } from './words/t.ts';

export { errorAt, toFailure } from './failure.ts';
export type { Failure } from './failure.ts';

/** Shows a failure, with the facts that the operator needs to find it. */
export const Problem = ({ problem, retry }: { problem: Failure; retry?: (() => void) | undefined }) => (
  <div class="problem" role="alert">
    <p class="words">{problem.sentence}</p>
    {problem.errors.length > 0 && (
      <ul>
        {problem.errors.map((error) => (
          <li key={error.pointer}>
            <span class="mono">{error.pointer}</span> {error.message}
          </li>
        ))}
      </ul>
    )}
    {problem.code !== null && (
      <p class="small quiet">
        <span class="mono">{problem.code}</span>
        {problem.requestId !== null && (
          <>
            {t(' · request ')}
            <span class="mono">{problem.requestId}</span>
          </>
        )}
      </p>
    )}
    {retry && (
      <button type="button" onClick={retry}>
        {t('Try again')}
      </button>
    )}
  </div>
);
