import { named } from '../core/model/shapes/named.ts';
/** An expression that cannot be evaluated; the message states the reason and the position. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

/** Limits of an expression. */
export interface ExpressionOptions {
  /** Characters. Default: 1,000. */
  readonly maxLength?: number;
  /** Levels of nested brackets, functions, powers and signs. Default: 64. */
  readonly maxDepth?: number;
}

interface Token {
  readonly kind: 'number' | 'name' | 'sign' | 'end';
  readonly text: string;
  /** Counted from 1. */
  readonly at: number;
}

type Apply = (...values: readonly number[]) => number;

const constants = new Map([
  ['pi', Math.PI],
  ['π', Math.PI],
  ['tau', 2 * Math.PI],
  ['e', Math.E],
]);

/** Name → minimum and maximum number of arguments, and the function. */
const functions = new Map<string, readonly [min: number, max: number, apply: Apply]>([
  ['sqrt', [1, 1, Math.sqrt]],
  ['cbrt', [1, 1, Math.cbrt]],
  ['abs', [1, 1, Math.abs]],
  ['sign', [1, 1, Math.sign]],
  ['floor', [1, 1, Math.floor]],
  ['ceil', [1, 1, Math.ceil]],
  ['trunc', [1, 1, Math.trunc]],
  ['round', [1, 2, round]],
  ['exp', [1, 1, Math.exp]],
  ['ln', [1, 1, Math.log]],
  ['log10', [1, 1, Math.log10]],
  ['log2', [1, 1, Math.log2]],
  // `log` requires a base: with one argument some languages mean ln, others log10.
  ['log', [2, 2, (value = NaN, base = NaN) => Math.log(value) / Math.log(base)]],
  ['sin', [1, 1, Math.sin]],
  ['cos', [1, 1, Math.cos]],
  ['tan', [1, 1, Math.tan]],
  ['asin', [1, 1, Math.asin]],
  ['acos', [1, 1, Math.acos]],
  ['atan', [1, 1, Math.atan]],
  ['atan2', [2, 2, Math.atan2]],
  ['hypot', [1, 100, Math.hypot]],
  ['min', [1, 100, Math.min]],
  ['max', [1, 100, Math.max]],
  ['sum', [1, 100, sum]],
  ['mean', [1, 100, (...values) => sum(...values) / values.length]],
  ['factorial', [1, 1, factorial]],
]);

/**
 * Evaluates an arithmetic expression: `+ - * / % ^`, brackets, `sqrt(2)`, `max(1, 2)`, `round(x, digits)`, `pi`. `%` is the
 * remainder. A power binds tighter than a sign and is right-associative: `-2 ^ 2` is -4, `2 ^ 3 ^ 2` is 512. A recursive
 * descent parser over a list of tokens, bounded in length and depth; no input is run as code.
 *
 * @throws ExpressionError
 */
export function evaluate(expression: string, options: ExpressionOptions = {}): number {
  const { maxLength = 1_000, maxDepth = 64 } = named(options, { maxLength: true, maxDepth: true }, 'evaluate');
  if (expression.length > maxLength) {
    throw new ExpressionError(`The expression has ${expression.length} characters; ${maxLength} are allowed.`);
  }
  const tokens = tokenize(expression);
  const end: Token = { kind: 'end', text: '', at: expression.length + 1 };
  let next = 0;
  let depth = 0;

  const peek = (): Token => tokens[next] ?? end;
  const take = (): Token => tokens[next++] ?? end;
  /** Consumes and returns the next token if it is one of `signs`. */
  function takeSign(...signs: readonly string[]): Token | undefined {
    const token = peek();
    return token.kind === 'sign' && signs.includes(token.text) ? take() : undefined;
  }
  function expect(sign: string): void {
    if (!takeSign(sign)) throw misplaced(peek(), `“${sign}”`);
  }
  function nested(read: () => number): number {
    depth += 1;
    if (depth > maxDepth) throw new ExpressionError(`The expression nests deeper than ${maxDepth} levels.`);
    const value = read();
    depth -= 1;
    return value;
  }

  function readSum(): number {
    let value = readProduct();
    for (let sign = takeSign('+', '-'); sign; sign = takeSign('+', '-')) {
      const other = readProduct();
      value = finite(sign.text === '+' ? value + other : value - other, sign);
    }
    return value;
  }

  function readProduct(): number {
    let value = readSigned();
    for (let sign = takeSign('*', '/', '%'); sign; sign = takeSign('*', '/', '%')) {
      const other = readSigned();
      if (other === 0 && sign.text !== '*') throw new ExpressionError(`Division by zero at character ${sign.at}.`);
      if (sign.text === '*') value *= other;
      else value = sign.text === '/' ? value / other : value % other;
      finite(value, sign);
    }
    return value;
  }

  function readSigned(): number {
    const sign = takeSign('-', '+');
    if (!sign) return readPower();
    return sign.text === '-' ? -nested(readSigned) : nested(readSigned);
  }

  function readPower(): number {
    const base = readValue();
    const sign = takeSign('^');
    return sign ? finite(base ** nested(readSigned), sign) : base;
  }

  function readValue(): number {
    const token = take();
    if (token.kind === 'number') return finite(Number(token.text), token);
    if (token.kind === 'name') return constants.get(token.text) ?? readFunction(token);
    if (token.text !== '(') throw misplaced(token, 'a number');
    const value = nested(readSum);
    expect(')');
    return value;
  }

  function readFunction(name: Token): number {
    const found = functions.get(name.text);
    if (!found) {
      const known = [...functions.keys(), ...constants.keys()].join(', ');
      throw new ExpressionError(`“${name.text}” at character ${name.at} is not a known name. Known names: ${known}.`);
    }
    const [min, max, apply] = found;
    expect('(');
    const values = [nested(readSum)];
    while (takeSign(',')) values.push(nested(readSum));
    expect(')');
    if (values.length < min || values.length > max) {
      const wanted = min === max ? String(min) : `${min} to ${max}`;
      const plural = max === 1 ? 'value' : 'values';
      throw new ExpressionError(
        `“${name.text}” at character ${name.at} takes ${wanted} ${plural}, not ${values.length}.`,
      );
    }
    return finite(apply(...values), name);
  }

  const value = readSum();
  if (peek().kind !== 'end') throw misplaced(peek(), 'an operator or the end');
  // A double represents 15 decimal digits exactly, so 0.1 + 0.2 is shown as 0.3; integers are exact up to 2 ^ 53.
  // `+ 0` turns -0 into 0.
  return Number.isInteger(value) ? value + 0 : Number(value.toPrecision(15));
}

const pattern =
  /(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)|(?<name>[a-zπ][a-z0-9]*)|(?<sign>\*\*|[-+*/%^(),×·÷−])/iuy;

const plainSigns = new Map([
  ['×', '*'],
  ['·', '*'],
  ['÷', '/'],
  ['−', '-'],
  ['**', '^'],
]);

function tokenize(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  const isSpace = /\s/u;
  let index = 0;
  while (index < expression.length) {
    if (isSpace.test(expression.charAt(index))) {
      index += 1;
      continue;
    }
    pattern.lastIndex = index;
    const { number, name, sign } = pattern.exec(expression)?.groups ?? {};
    const at = index + 1;
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.toLowerCase(), at });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: plainSigns.get(sign) ?? sign, at });
    else {
      const character = String.fromCodePoint(expression.codePointAt(index) ?? 0);
      throw new ExpressionError(`“${character}” at character ${at} is not arithmetic.`);
    }
    index += (number ?? name ?? sign ?? '').length;
  }
  return tokens;
}

function misplaced({ kind, text, at }: Token, wanted: string): ExpressionError {
  if (kind === 'end') return new ExpressionError(`Expected ${wanted} at the end of the expression.`);
  const hint = text === ',' ? ' Write numbers without separators between thousands.' : '';
  return new ExpressionError(`Expected ${wanted} at character ${at}, not “${text}”.${hint}`);
}

function finite(value: number, { text, at }: Token): number {
  if (Number.isFinite(value)) return value;
  const what = Number.isNaN(value) ? 'not a real number' : 'too large for a number';
  throw new ExpressionError(`The result of “${text}” at character ${at} is ${what}.`);
}

function sum(...values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Rounds half away from zero, in decimal: 2.5 is 3, -2.5 is -3, 1.005 to two digits is 1.01. */
function round(value = NaN, digits = 0): number {
  if (!Number.isInteger(digits) || Math.abs(digits) > 15) return NaN;
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`));
  return Math.sign(value) * Number(`${shifted}e${-digits}`);
}

function factorial(value = NaN): number {
  if (!Number.isInteger(value) || value < 0) return NaN;
  if (value > 170) return Infinity;
  let product = 1;
  for (let factor = 2; factor <= value; factor += 1) product *= factor;
  return product;
}
