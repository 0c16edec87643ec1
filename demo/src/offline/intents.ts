import type { JsonObject } from 'brooklet';
import { parseObject } from '../base/json.ts';
import { fromChinese } from './chinese.ts';

/** A failure that the offline model can play. */
export type Failure =
  | 'cut'
  | 'refused'
  | 'limit'
  | 'network'
  | 'slow'
  | 'json'
  | 'credit'
  | 'cors'
  | 'overflow'
  | 'refusal';

/** One thing that a message asks the offline model to do. */
export type Intent =
  | { readonly type: 'time'; readonly place?: string; readonly timeZone?: string }
  | { readonly type: 'calculate'; readonly expression: string }
  | { readonly type: 'list-notes' }
  | { readonly type: 'save-notes'; readonly texts: readonly string[] }
  /** `which`: words of the note, the number of the note, or `all`. */
  | { readonly type: 'delete-note'; readonly which: string }
  /** Doubles a number `times` times, one call after the other. */
  | { readonly type: 'steps'; readonly from: number; readonly times: number }
  | { readonly type: 'list-files' }
  | { readonly type: 'fix-file' }
  | { readonly type: 'primes'; readonly below: number }
  | { readonly type: 'draw' }
  /** Asks two agents of their own. */
  | { readonly type: 'research' }
  | { readonly type: 'run'; readonly isSlow: boolean }
  | { readonly type: 'walk' }
  /** Asks for an elicitation. */
  | { readonly type: 'ask' }
  | { readonly type: 'long' }
  | { readonly type: 'formatting' }
  /** A diagram, and a page, to be opened at the side. */
  | { readonly type: 'diagram' }
  | { readonly type: 'page' }
  | { readonly type: 'fail'; readonly how: Failure }
  /** Calls any tool by its name, for example one of a server. */
  | { readonly type: 'call'; readonly name: string; readonly input: JsonObject }
  | { readonly type: 'greeting' }
  | { readonly type: 'thanks' };

const zones = new Map([
  ['auckland', 'Pacific/Auckland'],
  ['bangalore', 'Asia/Kolkata'],
  ['beijing', 'Asia/Shanghai'],
  ['berlin', 'Europe/Berlin'],
  ['cairo', 'Africa/Cairo'],
  ['chicago', 'America/Chicago'],
  ['delhi', 'Asia/Kolkata'],
  ['dubai', 'Asia/Dubai'],
  ['honolulu', 'Pacific/Honolulu'],
  ['istanbul', 'Europe/Istanbul'],
  ['lisbon', 'Europe/Lisbon'],
  ['london', 'Europe/London'],
  ['los angeles', 'America/Los_Angeles'],
  ['madrid', 'Europe/Madrid'],
  ['mexico city', 'America/Mexico_City'],
  ['mumbai', 'Asia/Kolkata'],
  ['nairobi', 'Africa/Nairobi'],
  ['new york', 'America/New_York'],
  ['paris', 'Europe/Paris'],
  ['rome', 'Europe/Rome'],
  ['san francisco', 'America/Los_Angeles'],
  ['são paulo', 'America/Sao_Paulo'],
  ['sao paulo', 'America/Sao_Paulo'],
  ['seoul', 'Asia/Seoul'],
  ['shanghai', 'Asia/Shanghai'],
  ['singapore', 'Asia/Singapore'],
  ['sydney', 'Australia/Sydney'],
  ['tokyo', 'Asia/Tokyo'],
  ['toronto', 'America/Toronto'],
  ['utc', 'UTC'],
  ['vienna', 'Europe/Vienna'],
  ['zurich', 'Europe/Zurich'],
]);

const saving =
  /\b(?:remember|note down|write down|jot down|(?:save|add|make|take|keep|create|store)\s+(?:me\s+)?(?:a\s+|the\s+|this\s+)?(?:new\s+)?note)\b(?:\s+(?:that|to|of|saying|about)\b)?\s*[:,-]?\s*(.+)$/isu;

const severalNotes = /\b(?:two|three|four|several|\d)\s+notes:\s*(.+)$/isu;

/** Reads the intents of a message by a few patterns, in the order in which the intents are answered. */
export function readIntents(message: string): readonly Intent[] {
  const [, name, json] = /^\s*call\s+([\w-]{1,64})\s*(\{.*\})?\s*$/isu.exec(message) ?? [];
  const input = parseObject(json ?? '{}');
  if (name !== undefined && input !== undefined) return [{ type: 'call', name, input }];
  const text = fromChinese(message);
  const intents: Intent[] = [];
  const several = severalNotes.exec(text)?.[1];
  if (several !== undefined) return [{ type: 'save-notes', texts: splitList(several) }];
  const note = saving.exec(text);
  const words = unquote(note?.[1] ?? '');
  // The text of the note is not searched for other intents.
  const rest = note && words !== '' ? text.slice(0, note.index) : text;

  const failure = readFailure(rest);
  if (failure) return [failure];
  const task = readTask(rest);
  if (task) return [task];

  if (
    /\bwhat(?:'s| is)? (?:the )?(?:time|date)|\btime is it|\b(?:current|local) (?:time|date)|\btime (?:in|at|of)\b|\btoday'?s date|\bwhat day\b|\bthe time\b|\bclock\b/iu.test(
      rest,
    )
  )
    intents.push(...readTimes(rest));
  const expression = readExpression(rest);
  if (expression !== undefined) intents.push({ type: 'calculate', expression });

  const deletion = /\b(?:delete|remove|forget|erase|throw away)\b(.*\bnotes?\b.*)/isu.exec(rest);
  if (deletion) intents.push({ type: 'delete-note', which: readWhich(deletion[1] ?? '') });
  else if (/\b(?:list|show|see|read|what|which|any|have)\b.*\bnotes\b|^\W*(?:my )?notes\W*$/isu.test(rest))
    intents.push({ type: 'list-notes' });

  if (note && words !== '') intents.push({ type: 'save-notes', texts: [words] });
  if (/\b(?:long|story|essay|poem|tale)\b/iu.test(rest)) intents.push({ type: 'long' });
  if (/\b(?:markdown|formatting|format|table|rich text)\b/iu.test(rest)) intents.push({ type: 'formatting' });
  if (intents.length > 0) return intents;
  if (/^\W*(?:hi|hello|hey|good (?:morning|evening|day|afternoon)|howdy|yo)\b/iu.test(text))
    return [{ type: 'greeting' }];
  if (/\b(?:thanks|thank you|cheers|great|nice|cool|perfect)\b/iu.test(text)) return [{ type: 'thanks' }];
  return [];
}

/** Reads an intent that is the only one of its message. */
function readTask(text: string): Intent | undefined {
  const [, from, times = ''] = /\bdouble\s+(\d+)\s+(\d+|six|ten|twelve)\s+times/iu.exec(text) ?? [];
  if (from !== undefined)
    return { type: 'steps', from: Number(from), times: counts.get(times.toLowerCase()) ?? Number(times) };
  if (/\bresearchers?\b/iu.test(text)) return { type: 'research' };
  if (/\bprimes?\b/iu.test(text)) return { type: 'primes', below: readCount(text) };
  if (/\b(?:fix|mend|correct|typo|mistake)\b.*\b(?:poem|file|typo|mistake)\b/isu.test(text))
    return { type: 'fix-file' };
  if (/\b(?:diagram|flowchart|mermaid)\b/iu.test(text)) return { type: 'diagram' };
  if (/\b(?:html|web ?page|a (?:small )?page)\b/iu.test(text)) return { type: 'page' };
  if (/\bfiles\b/iu.test(text)) return { type: 'list-files' };
  if (/\b(?:draw|paint|picture of)\b/iu.test(text) && !/\bwho\b/iu.test(text)) return { type: 'draw' };
  if (/\b(?:javascript|script|code)\b/iu.test(text) && /\brun\b/iu.test(text))
    return { type: 'run', isSlow: /\b(?:slow|long|while)\b/iu.test(text) };
  if (/\b(?:walk|hike|trip|excursion)\b/iu.test(text)) return { type: 'walk' };
  return /\bask me\b/iu.test(text) ? { type: 'ask' } : undefined;
}

const counts: ReadonlyMap<string, number> = new Map([
  ['six', 6],
  ['ten', 10],
  ['twelve', 12],
]);

/** Reads a number, such as `1,000` or `30 million`; 30 million by default. The tool checks the upper limit. */
function readCount(text: string): number {
  const [, digits, million] = /(\d[\d,.]*)\s*(million)?/iu.exec(text) ?? [];
  if (digits === undefined) return 30_000_000;
  return Math.round(Number(digits.replaceAll(',', '')) * (million === undefined ? 1 : 1_000_000));
}

function readFailure(text: string): Intent | undefined {
  if (!/\b(?:fail|failure|error|break|crash|cut|disconnect)\b/iu.test(text)) return undefined;
  const [how] = failures.find(([, words]) => words.test(text)) ?? ['network' as const];
  return { type: 'fail', how };
}

const failures: readonly (readonly [Failure, RegExp])[] = [
  ['cut', /\b(?:half|middle|midway|mid|cut|partway|disconnect(?:ed|ion)?)\b/iu],
  ['refused', /\b(?:key|auth|authentication|refused|401)\b/iu],
  ['limit', /\b(?:rate|limits?|429|busy)\b/iu],
  ['slow', /\b(?:slow|slowly|wait)\b/iu],
  ['json', /\bjson\b/iu],
  ['credit', /\b(?:credit|quota|402|balance)\b/iu],
  ['cors', /\bcors\b/iu],
  ['overflow', /\b(?:overflow|too long|context)\b/iu],
  ['refusal', /\b(?:refusal|refuse|filter)\b/iu],
];

function readTimes(text: string): readonly Intent[] {
  const lower = text.toLowerCase();
  const places = [...zones].filter(([place]) => new RegExp(`(?<![\\p{L}])${place}(?![\\p{L}])`, 'u').test(lower));
  if (places.length === 0) return [{ type: 'time' }];
  return places
    .sort(([a], [b]) => lower.indexOf(a) - lower.indexOf(b))
    .map(([place, timeZone]) => ({ type: 'time', place: capitalize(place), timeZone }));
}

const operators: readonly (readonly [RegExp, string])[] = [
  [/(\d),(?=\d{3}\b)/gu, '$1'],
  [/\bper\s?cent\b/giu, '%'],
  [/%\s*of\b/giu, ' / 100 *'],
  [/(?<=\d)\s*%(?!\s*[\d(])/gu, ' / 100'],
  [/\b(?:multiplied by|times)\b/giu, '*'],
  [/(?<=\d)\s*x\s*(?=\d)/giu, ' * '],
  [/\bdivided by\b/giu, '/'],
  [/\bplus\b/giu, '+'],
  [/\bminus\b/giu, '-'],
  [/\b(?:to the power of)\b/giu, '^'],
  [/\bsquared\b/giu, '^ 2'],
  [/\bcubed\b/giu, '^ 3'],
  [/\b(?:the )?square root of\s+([\d.]+)/giu, 'sqrt($1)'],
  [/[×·]/gu, '*'],
  [/÷/gu, '/'],
  [/−/gu, '-'],
  [/\*\*/gu, '^'],
];

/** Returns the longest part of the text that looks like arithmetic, in the operators of the calculator. */
function readExpression(text: string): string | undefined {
  let plain = text;
  for (const [pattern, sign] of operators) plain = plain.replace(pattern, sign);
  const pieces =
    plain.match(
      /(?:(?:sqrt|cbrt|abs|round|floor|ceil|ln|log|exp|sin|cos|tan|min|max)\s*\(|\bpi\b|\be\b(?=\s*[\^*/+-])|[\d.]+|[-+*/^%(),]|\s)+/giu,
    ) ?? [];
  const candidates = pieces
    .map((piece) =>
      cutUnbalanced(
        piece
          .trim()
          .replace(/^[\s,).*/^%]+/u, '')
          .replace(/[\s,.(+*/^-]+$/u, ''),
      ),
    )
    .filter((piece) => /[\d)]\s*[-+*/^]\s*[(\d.a-z-]|\d\s*%|[a-z]\s*\(.*\d/iu.test(piece));
  return candidates.sort((a, b) => b.length - a.length)[0]?.replace(/\s+/gu, ' ');
}

/** Cuts the text before a bracket that closes without having been opened, as in “(that is 2 + 3)”. */
function cutUnbalanced(piece: string): string {
  let open = 0;
  for (let at = 0; at < piece.length; at += 1) {
    if (piece[at] === '(') open += 1;
    if (piece[at] === ')') open -= 1;
    if (open < 0) return piece.slice(0, at).trim();
  }
  return piece;
}

function readWhich(text: string): string {
  if (/\b(?:all|every|everything)\b/iu.test(text) && !/\babout\b/iu.test(text)) return 'all';
  const number = /\bnote\W*(?:number\s*|no\.?\s*|#)?(\d+)/iu.exec(text)?.[1];
  if (number !== undefined) return number;
  const about =
    /\bnotes?\b\s*(?:(?:about|on|with|called|saying|that says|for|of|to)\b)?\s*(.*)$/isu.exec(text)?.[1] ?? '';
  const before = /^(.*?)\bnotes?\b/isu.exec(text)?.[1]?.replace(/\b(?:my|the|a|an|that|this)\b/giu, ' ') ?? '';
  return unquote(about) || unquote(before);
}

function splitList(text: string): readonly string[] {
  return text
    .split(/[,;\n]|\band\b/iu)
    .map(unquote)
    .filter((one) => one !== '');
}

function unquote(text: string): string {
  return text
    .trim()
    .replace(/^["“”'‘`]+|["“”'’`.!?\s]+$/gu, '')
    .trim();
}

function capitalize(place: string): string {
  return place === 'utc' ? 'UTC' : place.replace(/(?<=^|\s)\p{L}/gu, (letter) => letter.toUpperCase());
}
