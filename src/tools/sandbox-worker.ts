export interface WorkerLimits {
  /** Characters of the result as JSON, and of everything logged. */
  readonly maxOutput: number;
  /** Bytes of all the binary buffers that are made. */
  readonly maxMemory: number;
}

/** What a worker keeps of its world: the language itself, and what computes without reaching out. */
const kept =
  'Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl ArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array BigInt64Array Uint8ClampedArray Float16Array Float32Array Float64Array DataView Map BigInt Set Iterator WeakMap WeakSet WeakRef FinalizationRegistry Proxy Reflect Temporal decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape isFinite isNaN URL URLSearchParams TextEncoder TextDecoder DOMException AbortController AbortSignal Event EventTarget atob btoa structuredClone queueMicrotask setTimeout setInterval clearTimeout clearInterval crypto performance';

/**
 * Stands before the code of the model in the worker: takes away what is not needed, counts buffers, keeps what is logged,
 * and says once, as JSON, how it ended. What it does is convenience and a second line: the walls are the frame's origin
 * and policy. In JavaScript of its own, not a function of ours as text, so that no bundler can change it.
 */
const prelude = ({ maxOutput, maxMemory }: WorkerLimits): string => `(() => {
  const self = globalThis;
  const post = self.postMessage.bind(self);
  const { stringify } = JSON;
  const kept = new Set('${kept}'.split(' '));
  for (let scope = self; scope && scope !== Object.prototype; scope = Object.getPrototypeOf(scope)) {
    for (const name of Object.getOwnPropertyNames(scope)) if (!kept.has(name)) try { delete scope[name]; } catch {}
  }

  let bytes = 0;
  for (const name of [...kept].filter((name) => /Array$|^ArrayBuffer$/.test(name) && name !== 'Array')) {
    const Original = self[name];
    if (!Original) continue;
    const Counted = new Proxy(Original, {
      construct(target, values, newTarget) {
        const made = Reflect.construct(target, values, newTarget === Counted ? target : newTarget);
        if (made.buffer === undefined || made.buffer !== values[0]) bytes += made.maxByteLength ?? made.byteLength;
        if (bytes > ${maxMemory}) throw new RangeError('Binary buffers of more than ${maxMemory} bytes.');
        return made;
      },
    });
    Object.defineProperty(Original.prototype, 'constructor', { value: Counted });
    self[name] = Counted;
  }

  const replacer = (key, value) => {
    if (typeof value === 'bigint') return String(value);
    if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)) return [...value];
    return value instanceof Error ? String(value) : value;
  };
  const show = (value) => {
    if (typeof value === 'string') return value;
    try { return stringify(value, replacer) ?? String(value); } catch { return String(value); }
  };
  let logs = '';
  const log = (...values) => {
    if (logs.length <= ${maxOutput}) logs += values.map(show).join(' ') + '\\n';
  };
  self.console = { log, info: log, warn: log, error: log, debug: log };

  const lineOf = (error) => Number(/blob:[^)\\s]*?:(\\d+):\\d+/.exec(error?.stack)?.[1] ?? 0);
  const end = (said) => {
    const cut = logs.length > ${maxOutput} ? logs.slice(0, ${maxOutput}) + '…' : logs;
    post(stringify({ ...said, logs: cut }));
  };
  const fail = (error) => end({ error: String(error).slice(0, ${maxOutput}), line: lineOf(error) });
  const succeed = (value) => {
    const json = stringify(value, replacer) ?? 'null';
    if (json.length > ${maxOutput}) return fail(new RangeError(\`The result has \${json.length} characters; ${maxOutput} are allowed.\`));
    end({ json });
  };
  Object.defineProperty(self, 'run', {
    configurable: true,
    value: (code) => {
      delete self.run;
      code().then(succeed).catch(fail);
    },
  });
})();
`;

/** The source of a worker that runs the code as the body of an async function, and the line at which the code begins. */
export function workerSource(
  code: string,
  limits: WorkerLimits,
): { readonly source: string; readonly firstLine: number } {
  const head = `${prelude(limits)}run(async () => {\n`;
  return { source: `${head}${code}\n});`, firstLine: head.split('\n').length };
}
