import { toAgentError } from 'brooklet';
import { showToast } from './toasts.ts';

/** Shows why an action was refused. */
export function reportRefusal(thrown: unknown): void {
  showToast(toAgentError(thrown).message, { tone: 'bad' });
}

/** Does something that may be refused, and shows why if it is. */
export function attempt(action: () => void): void {
  try {
    action();
  } catch (thrown) {
    reportRefusal(thrown);
  }
}
