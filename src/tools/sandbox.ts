import { isJsonObject, type Json, parseJson } from '../core/json.ts';
import { browserPorts, type Ports } from '../core/ports.ts';
import { defineTool, type Tool } from '../core/tools/tool.ts';
import { textOf } from './input.ts';
import { runInFrame, type WorkerEnd } from './sandbox-frame.ts';
import { workerSource } from './sandbox-worker.ts';

/** Options of `sandboxTool`. */
export interface SandboxToolOptions {
  /** ms after which the code is stopped, wherever it is. Default: 10,000. */
  readonly timeout?: number;
  /** Characters of the result as JSON, and of everything logged, each. Default: 20,000. */
  readonly maxOutput?: number;
  /** Bytes of binary buffers that the code may make in all. Other memory cannot be counted. Default: 256 MB. */
  readonly maxMemory?: number;
  /** Whether a person must agree first. Default: no. */
  readonly needsApproval?: boolean;
  readonly ports?: Pick<Ports, 'delay'>;
}

/**
 * A tool that runs JavaScript which the model has written, in a worker of a sandboxed frame: no page, no network, no
 * storage, a time limit. What that protects from and what not: `docs/tools.md`.
 */
export function sandboxTool(options: SandboxToolOptions = {}): Tool {
  const { timeout = 10_000, maxOutput = 20_000, maxMemory = 268_435_456, needsApproval = false } = options;
  const { delay } = options.ports ?? browserPorts;
  return defineTool({
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
      // Of its own, for whoever runs the tool without an agent: code that never ends must not depend on its caller.
      const callOff = delay(
        () => limit.abort(new Error(`The code took longer than ${timeout} ms and was stopped.`)),
        timeout,
      );
      const signal = AbortSignal.any([context.signal, limit.signal]);
      try {
        return readEnd(await runInFrame(source, { signal, delay }), { firstLine, maxOutput });
      } finally {
        callOff();
      }
    },
    present: (_input, output) => {
      const { result = null, logs } = isJsonObject(output) ? output : {};
      const summary = `Result: ${JSON.stringify(result)}`;
      if (typeof logs !== 'string') return { summary, details: { type: 'json', value: result } };
      return { summary, details: { type: 'commandOutput', stdout: logs, stderr: '', exitCode: 0 } };
    },
  });
}

interface Reading {
  /** Where the model's code begins in the worker's source. */
  readonly firstLine: number;
  readonly maxOutput: number;
}

/** What the worker says is a stranger's word: its shape and size are checked here once more. */
function readEnd(end: WorkerEnd, { firstLine, maxOutput }: Reading): { readonly result: Json; readonly logs?: string } {
  const at = (line: unknown): string =>
    typeof line === 'number' && line >= firstLine ? ` (line ${line - firstLine + 1})` : '';
  if (end.type === 'failed') throw new Error(`${end.message.slice(0, maxOutput)}${at(end.line)}`);

  // Escaped, a character is six at most.
  const said = end.data.length > 12 * maxOutput + 1_000 ? undefined : parseJson(end.data);
  const { json, error, line, logs: told } = isJsonObject(said) ? said : {};
  const logs = typeof told === 'string' ? told.slice(0, maxOutput + 1) : '';
  if (typeof error === 'string') {
    const logged = logs === '' ? '' : `\nLogged before:\n${logs}`;
    throw new Error(`${error.slice(0, maxOutput)}${at(line)}${logged}`);
  }
  const result = typeof json === 'string' && json.length <= maxOutput ? parseJson(json) : undefined;
  if (result === undefined) throw new Error('The code left without a result that can be read.');
  return { result, ...(logs !== '' && { logs }) };
}
