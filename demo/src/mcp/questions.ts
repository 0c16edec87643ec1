import type { MCPAppQuestion } from 'brooklet/mcp/apps';
import { BehaviorSubject, type Observable } from 'rxjs';

/** A question of an interface that waits for the user. */
export interface OpenQuestion {
  readonly question: MCPAppQuestion;
  readonly answer: (isAllowed: boolean) => void;
}

/** The questions of one interface. */
export interface Questions {
  /** The questions that wait, oldest first. Emits the current value on subscription. */
  readonly open$: Observable<readonly OpenQuestion[]>;
  readonly getOpen: () => readonly OpenQuestion[];
  /** Resolves with the answer of the user. */
  readonly ask: (question: MCPAppQuestion) => Promise<boolean>;
  /** Refuses what still waits. */
  readonly refuseAll: () => void;
}

/** Creates the questions of one interface: each waits until the user answers it. */
export function createQuestions(): Questions {
  const subject = new BehaviorSubject<readonly OpenQuestion[]>([]);
  return {
    open$: subject.asObservable(),
    getOpen: () => subject.value,
    ask: (question) =>
      new Promise((resolve) => {
        const one: OpenQuestion = {
          question,
          answer(isAllowed) {
            subject.next(subject.value.filter((other) => other !== one));
            resolve(isAllowed);
          },
        };
        subject.next([...subject.value, one]);
      }),
    refuseAll() {
      for (const { answer } of subject.value) answer(false);
    },
  };
}
