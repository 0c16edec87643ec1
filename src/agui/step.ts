/** What an event makes of a state, and what it emits, in order. */
export type Step<State, Out> = readonly [state: State, out: readonly Out[]];

/** Takes steps one after the other, each from the state that the one before has left. */
export function inOrder<State, Out>(
  state: State,
  steps: readonly ((state: State) => Step<State, Out>)[],
): Step<State, Out> {
  const emitted: Out[] = [];
  const last = steps.reduce((before, take) => {
    const [after, out] = take(before);
    for (const one of out) emitted.push(one);
    return after;
  }, state);
  return [last, emitted];
}
