/** Thrown when it cannot be decided whether a value fits a schema: neither the schema nor its negation may count as met. */
export class Undecided extends Error {}

/** The work that a check may still do. */
export interface Steps {
  left: number;
}

/** Counts a step of a check. A schema, or a pattern in it, may ask for more steps than any page can take. */
export function spend(steps: Steps, cost = 1): void {
  steps.left -= cost;
  if (steps.left < 0) throw new Undecided('the check takes too many steps; write a simpler schema');
}
