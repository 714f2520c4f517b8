import { computed } from '@preact/signals';
import { actor } from './engine.ts';

export { rememberMe } from './own-name.ts';

/** The name of this person; empty until they give one. A person who came by a link has its name. */
export const me = computed(() => actor());
