import { spend, type Steps, Undecided } from './undecided.ts';

/**
 * Whether a text matches a pattern of a JSON Schema, in bounded time, so that an untrusted pattern cannot block the page: all
 * alternatives are followed at once, and nothing is tried twice (a backtracking `RegExp` needs exponential time for `^(a+)+$`).
 *
 * @throws Undecided for a pattern with a back-reference, a look-behind or a modifier, and for a match that takes too many steps
 * @throws SyntaxError for a pattern that is not a regular expression
 */
export function matches(pattern: string, text: string, steps: Steps): boolean {
  // The tokens below are those of a valid pattern.
  void new RegExp(pattern, 'u');
  const start = parse(pattern, steps)(end);
  return isFound({ text: [...text], steps }, start, 0, true);
}

/** One state of the automaton of a pattern. */
interface State {
  /** Whether the state accepts this character; without it, the state is passed without a character. */
  readonly eats?: (character: string) => boolean;
  /** Whether the state may be passed here. */
  readonly holds?: (match: Match, at: number) => boolean;
  readonly next: State[];
}

/** A text and its match. */
interface Match {
  /** Code points. */
  readonly text: readonly string[];
  readonly steps: Steps;
}

/** Returns the first state of a part of a pattern, given the state after the part. */
type Part = (next: State) => State;

const end: State = { next: [] };

function isFound(match: Match, start: State, from: number, anywhere: boolean): boolean {
  const { text, steps } = match;
  let states = new Set([start]);
  for (let at = from; ; at += 1) {
    // The loop also visits the states that it adds.
    for (const state of states) {
      spend(steps);
      if (state === end) return true;
      if (state.eats === undefined && state.holds?.(match, at) !== false)
        state.next.forEach((next) => states.add(next));
    }
    const character = text[at];
    if (character === undefined) return false;
    const eating = [...states].filter(({ eats }) => eats?.(character));
    if (eating.length === 0 && !anywhere) return false;
    states = new Set(eating.flatMap(({ next }) => next));
    if (anywhere) states.add(start);
  }
}

/** Escapes and classes, the beginning of a group, quantifiers; else one character. */
const token =
  /\\(?:u\{[^}]*\}|u[dD][89abAB][^\\]{2}\\u[dD][c-fC-F].{2}|u.{4}|x..|c.|[pP]\{[^}]*\}|k<[^>]*>|[1-9]\d*|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]+:))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu;
const quantifier = /^[*+?{]/u;

function parse(pattern: string, steps: Steps): Part {
  const tokens = pattern.match(token) ?? [];
  let at = 0;

  function parseChoice(): Part {
    const choices = [parseSequence()];
    while (tokens[at] === '|') {
      at += 1;
      choices.push(parseSequence());
    }
    return (next) => ({ next: choices.map((choice) => choice(next)) });
  }

  function parseSequence(): Part {
    const parts: Part[] = [];
    for (let one = tokens[at]; one !== undefined && one !== '|' && one !== ')'; one = tokens[at]) {
      at += 1;
      const part = one.startsWith('(') ? parseGroup(one) : toPart(one);
      const times = tokens[at] ?? '';
      const isRepeated = quantifier.test(times);
      if (isRepeated) at += 1;
      parts.push(isRepeated ? repeat(part, ...boundsOf(times)) : part);
    }
    return (next) => parts.reduceRight((after, part) => part(after), next);
  }

  function parseGroup(opening: string): Part {
    const inner = parseChoice();
    at += 1;
    if (opening === '(?=' || opening === '(?!') {
      const start = inner(end);
      const wanted = opening === '(?=';
      return assertion((match, from) => isFound(match, start, from, false) === wanted);
    }
    if (opening === '(' || opening === '(?:' || /^\(\?<[^=!]/u.test(opening)) return inner;
    throw unsupported(pattern);
  }

  function repeat(part: Part, min: number, max: number): Part {
    return (next) => {
      const loop: State = { next: [next] };
      if (max === Infinity) loop.next.push(part(loop));
      let first = max === Infinity ? loop : next;
      for (let count = max === Infinity ? min : max; count > 0; count -= 1) {
        spend(steps);
        const once = part(first);
        first = count > min ? { next: [next, once] } : once;
      }
      return first;
    };
  }

  function eat(eats: (character: string) => boolean): Part {
    return (next) => {
      spend(steps);
      return { eats, next: [next] };
    };
  }

  function toPart(one: string): Part {
    switch (one) {
      case '^':
        return assertion((_match, from) => from === 0);
      case '$':
        return assertion(({ text }, from) => from === text.length);
      case '\\b':
        return assertion((match, from) => isBoundary(match, from));
      case '\\B':
        return assertion((match, from) => !isBoundary(match, from));
    }
    if (/^\\(?:k|[1-9])/u.test(one)) throw unsupported(pattern);
    if (one.length === 1 && one !== '.') return eat((character) => character === one);
    // One character cannot backtrack.
    const single = new RegExp(`^${one}$`, 'u');
    return eat((character) => single.test(character));
  }

  return parseChoice();
}

/** Returns how often a quantifier repeats the part before it. */
function boundsOf(times: string): readonly [min: number, max: number] {
  const [, min, comma, max] = /^\{(\d+)(,?)(\d*)/u.exec(times) ?? [];
  if (min !== undefined) return [Number(min), comma ? Number(max || Infinity) : Number(min)];
  return [times.startsWith('+') ? 1 : 0, times.startsWith('?') ? 1 : Infinity];
}

function unsupported(pattern: string): Undecided {
  return new Undecided(`the pattern ${pattern} has a look-behind, a back-reference or a modifier; write it without`);
}

function assertion(holds: (match: Match, at: number) => boolean): Part {
  return (next) => ({ holds, next: [next] });
}

function isBoundary({ text }: Match, at: number): boolean {
  return /\w/u.test(text[at - 1] ?? '') !== /\w/u.test(text[at] ?? '');
}
