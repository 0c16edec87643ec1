/** What the page found when it ran a behaviour of the contract. */
export interface Outcome {
  readonly name: string;
  readonly skipped?: string;
  readonly problem?: string;
}
