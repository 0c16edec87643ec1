import type { Observable } from 'rxjs';
import { fail } from '../error.ts';
import type { Json } from '../json.ts';
import type { ToolTypes } from '../model/call.ts';
import type { EventBody } from '../model/event.ts';
import type { ToolPart } from '../model/message.ts';
import type { ToolTraits } from '../model/next.ts';
import type { ToolSpec } from '../model/settings.ts';
import { reading } from '../model/shapes/read-input.ts';
import type { CheckedTool } from './tool-types.ts';
import type { DecideEnv } from './decide.ts';
import type { ExecuteEnv } from './execute.ts';

/**
 * The key of a tool's engine. A symbol: to its user a tool is plain data, and a page without tools does not load the code that runs them.
 * Registered (`Symbol.for`), so that a tool may come from another copy of the package.
 */
export const engine: unique symbol = Symbol.for('brooklet.tool');

/** The functions that run a tool. Invariant: `execute` runs only with an input that the schema has accepted. Internal. */
interface ToolEngine extends CheckedTool {
  /** Resolves with the problem of a user's answer to an elicitation, or with `undefined` for a valid answer. */
  readonly checkAnswer: (answer: Json, call: ToolPart) => Promise<string | undefined>;
  readonly decide: (call: ToolPart, env: DecideEnv) => Promise<readonly EventBody[]>;
  readonly execute: (call: ToolPart, env: ExecuteEnv) => Observable<EventBody>;
  /** Returns the agent that works on the calls, each in a session of its own: see `agentTool`. */
  readonly agent?: () => object;
  /** Returns the agent that has the conversation when a call has succeeded: see `handoffTo`. */
  readonly handoff?: () => object;
}

/**
 * A tool, made by `defineTool`: the description that the model reads, and traits that determine how a run executes its calls. The type
 * arguments type the parts of its calls (see `ToolPart`): the input before the schema converts it, and what `execute` returns.
 */
export interface Tool<Name extends string = string, Input = unknown, Output = unknown>
  extends ToolSpec, ToolTraits, ToolTypes<Name, Input, Output> {
  readonly name: Name;
  readonly [engine]: ToolEngine;
}

/**
 * Checks that a tool can be run.
 *
 * @throws AgentError `INVALID_CONFIG` for an object that `defineTool` did not make
 */
export function checkTool(tool: Tool): void {
  reading(
    'A tool',
    () => {
      if (typeof tool?.[engine]?.execute !== 'function')
        fail('INVALID_CONFIG', `${JSON.stringify(tool?.name)} is not a tool: make tools with defineTool.`);
    },
    'INVALID_CONFIG',
  );
}
