import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type Agent, type AgentSession, createAgent, type AgentOptions, type LLMClient } from 'brooklet';
import { AgentProvider } from 'brooklet/react';
import { Observable } from 'rxjs';
import type { ComponentType, ReactNode } from 'react';

/** A wrapper for the component under test: provides an agent, and nothing else. */
export function around(agent: Agent): ComponentType<{ readonly children: ReactNode }> {
  return ({ children }) => <AgentProvider agent={agent}>{children}</AgentProvider>;
}

/** A wrapper for the hooks of `brooklet/react/lists`: provides an agent and a QueryClient. */
export function aroundLists(
  agent: Agent,
  queryClient = new QueryClient(),
): ComponentType<{ readonly children: ReactNode }> {
  return ({ children }) => (
    <QueryClientProvider client={queryClient}>
      <AgentProvider agent={agent}>{children}</AgentProvider>
    </QueryClientProvider>
  );
}

/** Creates an agent with this client. */
export function agentWith(client: LLMClient, options: Omit<AgentOptions, 'client'> = {}): Agent {
  return createAgent({ client, ...options });
}

/** Creates a session. */
export function newSession(agent: Agent): AgentSession {
  const session = agent.getSession(agent.createSession());
  if (session === undefined) throw new Error('The new session is not in memory.');
  return session;
}

/** Wraps an agent: `count` returns the current number of subscriptions to the streams of its sessions. */
export function countSubscriptions(agent: Agent): { readonly agent: Agent; readonly count: () => number } {
  const counted = new WeakMap<AgentSession, AgentSession>();
  let count = 0;
  const countIn = <T,>(source: Observable<T>): Observable<T> =>
    new Observable((subscriber) => {
      count += 1;
      subscriber.add(() => (count -= 1));
      return source.subscribe(subscriber);
    });
  const wrap = (session: AgentSession): AgentSession => {
    const known = counted.get(session);
    if (known !== undefined) return known;
    const wrapped = {
      ...session,
      messages$: countIn(session.messages$),
      status$: countIn(session.status$),
      state$: countIn(session.state$),
      storage$: countIn(session.storage$),
      events$: countIn(session.events$),
    };
    counted.set(session, wrapped);
    return wrapped;
  };
  return {
    agent: {
      ...agent,
      getSession: (id) => {
        const session = agent.getSession(id);
        return session && wrap(session);
      },
    },
    count: () => count,
  };
}
