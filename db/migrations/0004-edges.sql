-- What the promises need at their edges: people with two identities, pulled order, clocks, the agent's failures, repairs.

-- Readers wait for these locks, too (docs/deploy.md): better to begin again than to stand in their way.
set local lock_timeout = '10s';

-- People who have two identities.

-- Own messages that wait to be known.

-- Events in the order of their sequence.

-- Backend events that stay.

-- Outcomes that nobody knows.

-- The agent when no model answers, and what was read.

-- Repairs of repairs.
