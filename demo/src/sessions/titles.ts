import { type Agent, type AgentSession, extractTextContent, type LLMClient, type Message, type Usage } from 'brooklet';
import { catchError, EMPTY, filter, from, lastValueFrom, mergeMap, reduce, type Subscription, timeout } from 'rxjs';

/** A title, and what it has cost. */
export interface WrittenTitle {
  readonly title: string;
  readonly usage: Usage | undefined;
  /** The model as the service names it. */
  readonly model: string | undefined;
}

interface Answer {
  readonly text: string;
  readonly usage?: Usage;
  readonly model?: string | undefined;
}

const empty: Answer = { text: '' };

const instructions =
  'Write a title for this conversation: at most six words, in its language, without quotes and without a full stop. Answer with the title alone.';
/** Characters of a message from which a shorter title is worth a request, and of what the request quotes of each message. */
const [longFrom, quoted] = [33, 1_000];

/**
 * Gives each session of the agent a title after its first answer, by one small request of its own: once, not where a person has named it, and not
 * where this page did not ask. A failure leaves the title as it is.
 *
 * @param write sends the request, or resolves with `undefined` where none is wanted: see `writeTitle`
 */
export function titleSessions(
  { events$, getSession }: Pick<Agent, 'events$' | 'getSession'>,
  write: (session: AgentSession) => Promise<WrittenTitle | undefined>,
): Subscription {
  const asked = new Set<string>();
  const title = async (session: AgentSession): Promise<void> => {
    if (asked.has(session.id) || !isUntitled(session)) return;
    asked.add(session.id);
    const written = await write(session);
    // The person may have named it meanwhile, or have gone on in it.
    if (!written || written.title === '' || !hasOwnTitle(session)) return;
    session.rename(written.title);
    const { usage, model } = written;
    if (!usage) return;
    const { input, output } = usage;
    session.setMetadata({ ...session.getState().metadata, titleUsage: { input, output, ...(model && { model }) } });
  };
  return events$
    .pipe(
      filter(({ event }) => event.type === 'run.ended' && event.outcome === 'completed'),
      mergeMap(({ sessionId }) => {
        const session = getSession(sessionId);
        return session ? from(title(session)).pipe(catchError(() => EMPTY)) : EMPTY;
      }),
    )
    .subscribe();
}

/** Sends the request: no tools, few tokens, 20 s. Rejects with the `AgentError` of the client. */
export async function writeTitle(session: AgentSession, client: LLMClient, model?: string): Promise<WrittenTitle> {
  const texts = session
    .getMessages()
    .slice(0, 2)
    .map((message) => `${message.role}: ${extractTextContent(message).slice(0, quoted)}`);
  const request = {
    sessionId: session.id,
    messages: [toMessage('system', instructions), toMessage('user', texts.join('\n\n'))],
    maxTokens: 400,
    ...(model !== undefined && { model }),
  };
  const answer$ = client.sendRequest(request).pipe(
    reduce((answer: Answer, chunk): Answer => {
      if (chunk.type === 'text') return { ...answer, text: answer.text + chunk.text };
      if (chunk.type === 'usage') return { ...answer, usage: chunk.usage };
      return chunk.type === 'finish' ? { ...answer, model: chunk.model } : answer;
    }, empty),
    // After the sum: of the whole answer.
    timeout(20_000),
  );
  const { text, usage, model: answered } = await lastValueFrom(answer$);
  return { title: toTitle(text), usage, model: answered ?? model };
}

/** Returns the first line of an answer as a title: without quotes, marks of Markdown and of direction, at most 60 characters. */
export function toTitle(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const bare = line
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Cc}]/gu, '')
    .replace(/^(?:title|标题)\s*[:：]\s*/iu, '')
    .replaceAll(/^[\s"'“”„«»「『《*_`#]+|[\s"'“”«»」』》*_`.。]+$/gu, '');
  return bare.length > 60 ? `${bare.slice(0, 59).trim()}…` : bare;
}

const toMessage = (role: 'system' | 'user', text: string): Message => ({
  id: `title-${role}`,
  role,
  content: [{ type: 'text', text }],
  timestamp: Date.now(),
});

/** Whether a session has its first answer, and a message that is too long for a title. */
function isUntitled(session: AgentSession): boolean {
  const questions = session.getMessages().filter(({ role }) => role === 'user');
  return (
    questions.length === 1 &&
    questions.some((one) => extractTextContent(one).trim().length >= longFrom) &&
    hasOwnTitle(session)
  );
}

/** Whether the title is the beginning of the first message: nobody has given one. */
function hasOwnTitle(session: AgentSession): boolean {
  const { title, messages } = session.getState();
  const first = messages.find(({ role }) => role === 'user');
  return title !== '' && first !== undefined && extractTextContent(first).trim().startsWith(title.replace(/…$/u, ''));
}
