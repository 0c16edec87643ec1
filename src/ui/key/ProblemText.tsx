import type { ReactElement } from 'react';
import type { Problem } from './verdict.ts';

/** What was wrong, as an alert. */
export function ProblemText({
  id,
  problem,
}: {
  readonly id: string;
  readonly problem: Problem | undefined;
}): ReactElement | null {
  return problem ? (
    <p id={id} className="bk-bad" role="alert">
      {problem.title !== undefined && <strong>{problem.title}. </strong>}
      {problem.text}
    </p>
  ) : null;
}
