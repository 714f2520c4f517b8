/** As a deploy has it that should not have been made: its workflow tasks fail. */
export async function superviseSession(): Promise<void> {
  throw new TypeError('A mistake in the code of a workflow.');
}

/** As somebody else's that runs in the same namespace. */
export async function checkout(): Promise<void> {
  throw new TypeError("A mistake in another application's workflow.");
}
