import { type Context, createContext } from 'react';
import type { Agent } from '../core/agent/agent.ts';

/** The agent of the nearest `AgentProvider`; `undefined` outside of one. */
export const AgentContext: Context<Agent | undefined> = createContext<Agent | undefined>(undefined);
