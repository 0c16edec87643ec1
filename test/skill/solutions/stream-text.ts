import { type AgentSession, extractTextContent } from 'brooklet';
import { distinctUntilChanged, filter, map } from 'rxjs';

export function follow(session: AgentSession, show: (text: string) => void): () => void {
  const subscription = session.messages$
    .pipe(
      map((messages) => messages.at(-1)),
      filter((message) => message !== undefined),
      map((message) => extractTextContent(message)),
      distinctUntilChanged(),
    )
    .subscribe(show);
  return () => subscription.unsubscribe();
}
