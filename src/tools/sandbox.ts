import { named } from '../core/model/shapes/named.ts';
import { isJsonObject, type Json, parseJson } from '../core/json.ts';
import { browserPorts, type Ports } from '../core/ports.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import { type Tool } from '../core/tools/tool.ts';
import { textOf } from './input.ts';
import { runInFrame, type WorkerEnd } from './sandbox-frame.ts';
import { workerSource } from './sandbox-worker.ts';
import { mark } from './trust/mark.ts';

/** Options of `sandboxTool`. */
export interface SandboxToolOptions {
  /** ms after which the code is terminated, also inside an endless loop. Default: 10,000. */
  readonly timeout?: number;
  /** Maximum number of characters of the result as JSON, and of the logged text. Default: 20,000 each. */
  readonly maxOutput?: number;
  /** Maximum total of bytes of binary buffers. Other memory cannot be counted. Default: 256 MB. */
  readonly maxMemory?: number;
  /** Whether each call needs approval. Default: `false`. */
  readonly needsApproval?: boolean;
  readonly ports?: Pick<Ports, 'delay'>;
}

/**
 * A tool that runs JavaScript written by the model, in a worker inside a sandboxed frame: no page, no network, no storage,
 * a time limit. `docs/ready-tools.md` describes what the sandbox protects against and what not.
 */
export function sandboxTool(options: SandboxToolOptions = {}): Tool {
  named(options, { timeout: true, maxOutput: true, maxMemory: true, needsApproval: true, ports: true }, 'sandboxTool');
  const { timeout = 10_000, maxOutput = 20_000, maxMemory = 268_435_456, needsApproval = false } = options;
  const { delay } = options.ports ?? browserPorts;
  const tool = defineTool({
    name: 'run_javascript',
    description:
      'Runs JavaScript in an empty sandbox: the language, timers and console, without DOM, network, files or modules. The code is the body of an async function: give its result with `return`, as JSON.',
    input: {
      type: 'object',
      properties: { code: { type: 'string', minLength: 1, maxLength: 100_000 } },
      required: ['code'],
      additionalProperties: false,
    },
    timeout,
    needsApproval,
    async execute(input, context) {
      const { source, firstLine } = workerSource(textOf(input, 'code'), { maxOutput, maxMemory });
      const limit = new AbortController();
      // A timer of its own: a caller without an agent sets no time limit, and code that never ends must still be stopped.
      const cancelTimer = delay(
        () => limit.abort(new Error(`The code took longer than ${timeout} ms and was stopped.`)),
        timeout,
      );
      const signal = AbortSignal.any([context.signal, limit.signal]);
      try {
        return readEnd(await runInFrame(source, { signal, delay }), { firstLine, maxOutput });
      } finally {
        cancelTimer();
      }
    },
    present: (_input, output) => {
      const { result = null, logs } = isJsonObject(output) ? output : {};
      const summary = `Result: ${JSON.stringify(result)}`;
      if (typeof logs !== 'string') return { summary, details: { type: 'json', value: result } };
      return { summary, details: { type: 'commandOutput', stdout: logs, stderr: '', exitCode: 0 } };
    },
  });
  return mark(tool, { trusted: true, harmless: true });
}

interface Reading {
  /** Line of the worker's source at which the model's code begins. */
  readonly firstLine: number;
  readonly maxOutput: number;
}

/** Messages of the worker are untrusted: their shape and size are checked again here. */
function readEnd(end: WorkerEnd, { firstLine, maxOutput }: Reading): { readonly result: Json; readonly logs?: string } {
  const at = (line: unknown): string =>
    typeof line === 'number' && line >= firstLine ? ` (line ${line - firstLine + 1})` : '';
  if (end.type === 'failed') throw new Error(`${end.message.slice(0, maxOutput)}${at(end.line)}`);

  // One character has at most six characters when escaped.
  const message = end.data.length > 12 * maxOutput + 1_000 ? undefined : parseJson(end.data);
  const { json, error, line, logs: logged } = isJsonObject(message) ? message : {};
  const logs = typeof logged === 'string' ? logged.slice(0, maxOutput + 1) : '';
  if (typeof error === 'string') {
    const suffix = logs === '' ? '' : `\nLogged before:\n${logs}`;
    throw new Error(`${error.slice(0, maxOutput)}${at(line)}${suffix}`);
  }
  const result = typeof json === 'string' && json.length <= maxOutput ? parseJson(json) : undefined;
  if (result === undefined)
    throw new Error('The code ended without a readable result: return a value that JSON can represent.');
  return { result, ...(logs !== '' && { logs }) };
}
