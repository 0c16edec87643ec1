import { isJsonObject } from '../../core/json.ts';

/** Characters that a diff shows of one value. */
const longest = 160;
/** Lines that a diff has at most for one pair of values. */
const maxLines = 12;

/** Whether two values are the same JSON. The order of fields does not count, and a field that is `undefined` is missing. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSameJson(item, other[index]))
    );
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  return hasSameFields(one, other);
}

/** Whether two objects have the same JSON in each field; fields whose names are in `except` are not compared. */
export function hasSameFields(one: Fields, other: Fields, except: readonly string[] = []): boolean {
  for (const key of Object.keys(one)) if (!except.includes(key) && !isSameJson(one[key], other[key])) return false;
  for (const key of Object.keys(other))
    if (!except.includes(key) && one[key] === undefined && other[key] !== undefined) return false;
  return true;
}

/** Whether two values have the same JSON text. `false` also for equal texts of values with a field that is `undefined`. */
export function isSameText(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) || Array.isArray(other)) return JSON.stringify(one) === JSON.stringify(other);
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    keys.length === others.length &&
    keys.every((key, index) => key === others[index] && isSameText(one[key], other[key]))
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns how two values differ, a pair of lines for each field: `-` the recorded value, `+` the replayed one. */
export function describeDifferences(recorded: unknown, replayed: unknown): string {
  const lines = [...differences(recorded, replayed, '')];
  const rest = lines.length - maxLines;
  return [...lines.slice(0, maxLines), ...(rest > 0 ? [`… and ${rest} more lines`] : [])].join('\n');
}

function* differences(recorded: unknown, replayed: unknown, path: string): Generator<string> {
  if (JSON.stringify(recorded) === JSON.stringify(replayed)) return;
  if (isJsonObject(recorded) && isJsonObject(replayed)) {
    const order = (value: object): string => Object.keys(value).join(', ');
    if (isSameJson(recorded, replayed) && order(recorded) !== order(replayed)) {
      yield* pair(path === '' ? 'the fields' : `the fields of ${path}`, order(recorded), order(replayed));
      return;
    }
    for (const key of keysOf(recorded, replayed))
      yield* differences(recorded[key], replayed[key], path === '' ? key : `${path}.${key}`);
  } else if (Array.isArray(recorded) && Array.isArray(replayed)) {
    for (let index = 0; index < Math.max(recorded.length, replayed.length); index++)
      yield* differences(recorded[index], replayed[index], `${path}[${index}]`);
  } else yield* pair(path, ...excerpts(recorded, replayed));
}

function* pair(path: string, recorded: string, replayed: string): Generator<string> {
  yield `- ${path}: ${recorded}`;
  yield `+ ${path}: ${replayed}`;
}

/** Returns both values as text, long ones from shortly before the first character that differs. */
function excerpts(recorded: unknown, replayed: unknown): [recorded: string, replayed: string] {
  const [one, other] = [textOf(recorded), textOf(replayed)];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const start = same > longest / 2 ? same - longest / 4 : 0;
  const cut = (text: string): string =>
    `${start > 0 ? '…' : ''}${text.slice(start, start + longest)}${text.length > start + longest ? '…' : ''}`;
  return [cut(one), cut(other)];
}

function textOf(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value);
}

function keysOf(one: object, other: object): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}
