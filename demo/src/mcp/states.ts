import type { AgentError } from 'brooklet';
import type { MCPServer } from 'brooklet/mcp';
import { BehaviorSubject } from 'rxjs';

/** The connection of this tab to a server. */
export type ServerState =
  | { readonly is: 'off' | 'connecting' }
  /** `address`: where the user signs in, if the browser has blocked the window. */
  | { readonly is: 'signing-in'; readonly address?: string; readonly cancel: () => void }
  | { readonly is: 'connected'; readonly server: MCPServer }
  /** `server`: a connection that failed later, whose tools are still offered. */
  | { readonly is: 'failed'; readonly error: AgentError; readonly server?: MCPServer };

const off: ServerState = { is: 'off' };
const states = new BehaviorSubject<ReadonlyMap<string, ServerState>>(new Map());

/** The state of each server, by its name. Emits the current value on subscription. */
export const states$ = states.asObservable();
export const getStates = (): ReadonlyMap<string, ServerState> => states.value;
export const stateOf = (name: string): ServerState => states.value.get(name) ?? off;

/** Sets the state of a server; `undefined` for a server that was removed. */
export function setState(name: string, state: ServerState | undefined): void {
  const next = new Map(states.value);
  if (state) next.set(name, state);
  else next.delete(name);
  states.next(next);
}
