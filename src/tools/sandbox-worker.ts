export interface WorkerLimits {
  /** Maximum number of characters of the result as JSON, and of the logged text. */
  readonly maxOutput: number;
  /** Maximum total of bytes of binary buffers. */
  readonly maxMemory: number;
}

/** Globals that stay in the worker: the language itself, and APIs that compute without any access to the outside. */
const kept =
  'Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl ArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array BigInt64Array Uint8ClampedArray Float16Array Float32Array Float64Array DataView Map BigInt Set Iterator WeakMap WeakSet WeakRef FinalizationRegistry Proxy Reflect Temporal decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape isFinite isNaN URL URLSearchParams TextEncoder TextDecoder DOMException AbortController AbortSignal Event EventTarget atob btoa structuredClone queueMicrotask setTimeout setInterval clearTimeout clearInterval crypto performance';

/**
 * Runs in the worker before the model's code: deletes all other globals, counts the bytes of buffers, records the log, and
 * posts the outcome once, as JSON. The prelude is a convenience and a second line of defence: the frame's origin and
 * policy are the security boundary. The source is a string, not a function converted to text, so that no bundler changes
 * it.
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
        if (bytes > ${maxMemory}) throw new RangeError('The code created binary buffers of more than ${maxMemory} bytes.');
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
  const end = (outcome) => {
    const cut = logs.length > ${maxOutput} ? logs.slice(0, ${maxOutput}) + '…' : logs;
    post(stringify({ ...outcome, logs: cut }));
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

/** Returns the source of a worker that runs `code` as the body of an async function, and the line at which `code` begins. */
export function workerSource(
  code: string,
  limits: WorkerLimits,
): { readonly source: string; readonly firstLine: number } {
  const head = `${prelude(limits)}run(async () => {\n`;
  return { source: `${head}${code}\n});`, firstLine: head.split('\n').length };
}
