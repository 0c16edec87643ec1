/** Why an expression could not be worked out, and where. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

const maxLength = 500;
const maxDepth = 64;

const constants = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
]);

const functions = new Map<string, (...values: readonly number[]) => number>([
  ['sqrt', Math.sqrt],
  ['cbrt', Math.cbrt],
  ['abs', Math.abs],
  ['round', Math.round],
  ['floor', Math.floor],
  ['ceil', Math.ceil],
  ['ln', Math.log],
  ['log', Math.log10],
  ['exp', Math.exp],
  ['sin', Math.sin],
  ['cos', Math.cos],
  ['tan', Math.tan],
  ['min', Math.min],
  ['max', Math.max],
]);

interface Token {
  readonly kind: 'number' | 'name' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

/**
 * Works out an arithmetic expression: `+ - * / % ^`, brackets, `sqrt(2)`, `max(1, 2)`, `pi`. `%` after a value and before
 * nothing is per cent, between two values the remainder. A small recursive descent; nothing is ever evaluated as code.
 *
 * @throws ExpressionError
 */
export function calculate(expression: string): number {
  if (expression.length > maxLength)
    throw new ExpressionError(`The expression is longer than ${maxLength} characters.`);
  const tokens = tokenize(expression);
  let next = 0;
  let depth = 0;

  const peek = (): Token => tokens[next] ?? { kind: 'end', text: '', at: expression.length };
  const take = (): Token => {
    const token = peek();
    next += 1;
    return token;
  };
  const takes = (sign: string): boolean => {
    if (peek().kind !== 'sign' || peek().text !== sign) return false;
    next += 1;
    return true;
  };
  const expect = (sign: string): void => {
    if (!takes(sign)) throw unexpected(peek(), `“${sign}”`);
  };

  function sum(): number {
    let value = product();
    for (;;) {
      if (takes('+')) value += product();
      else if (takes('-')) value -= product();
      else return value;
    }
  }

  function product(): number {
    let value = signed();
    for (;;) {
      if (takes('*')) value *= signed();
      else if (takes('/')) value = divide(value, signed());
      else if (takes('%')) value = remainder(value, signed());
      else return value;
    }
  }

  // A sign binds less than a power: -2 ^ 2 is -4, as on paper.
  function signed(): number {
    if (takes('-')) return -nested(signed);
    if (takes('+')) return nested(signed);
    return power();
  }

  function power(): number {
    const base = percent();
    return takes('^') ? base ** nested(signed) : base;
  }

  function percent(): number {
    let value = primary();
    while (peek().text === '%' && !startsValue(tokens[next + 1])) {
      next += 1;
      value /= 100;
    }
    return value;
  }

  function primary(): number {
    const token = take();
    if (token.kind === 'number') return Number(token.text);
    if (token.kind === 'name') return named(token);
    if (token.text === '(') {
      const value = nested(sum);
      expect(')');
      return value;
    }
    throw unexpected(token, 'a number');
  }

  function named(token: Token): number {
    const constant = constants.get(token.text);
    if (constant !== undefined) return constant;
    const apply = functions.get(token.text);
    if (!apply) throw new ExpressionError(`“${token.text}” is not a function or constant that I know.`);
    expect('(');
    const values = [nested(sum)];
    while (takes(',')) values.push(nested(sum));
    expect(')');
    return apply(...values);
  }

  function nested(read: () => number): number {
    depth += 1;
    if (depth > maxDepth) throw new ExpressionError(`The expression nests deeper than ${maxDepth} levels.`);
    const value = read();
    depth -= 1;
    return value;
  }

  const value = sum();
  if (peek().kind !== 'end') throw unexpected(peek(), 'an operator or the end');
  if (!Number.isFinite(value)) throw new ExpressionError('The result is not a finite number.');
  // 15 digits are what a double holds: 0.1 + 0.2 is 0.3.
  return Number(value.toPrecision(15));
}

function tokenize(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  const pattern = /\s*(?:(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([a-z]+)|(\*\*|[-+*/%^(),×·÷−]))/iuy;
  let at = 0;
  while (expression.slice(at).trim() !== '') {
    pattern.lastIndex = at;
    const found = pattern.exec(expression);
    if (!found)
      throw new ExpressionError(`“${expression.slice(at).trim()[0] ?? ''}” at character ${at + 1} is not arithmetic.`);
    const [, number, name, sign] = found;
    at = pattern.lastIndex;
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.toLowerCase(), at });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: plainSign(sign), at });
  }
  return tokens;
}

function plainSign(sign: string): string {
  switch (sign) {
    case '×':
    case '·':
      return '*';
    case '÷':
      return '/';
    case '−':
      return '-';
    case '**':
      return '^';
    default:
      return sign;
  }
}

function startsValue(token: Token | undefined): boolean {
  return token !== undefined && (token.kind === 'number' || token.kind === 'name' || token.text === '(');
}

function divide(dividend: number, divisor: number): number {
  if (divisor === 0) throw new ExpressionError('Nothing can be divided by zero.');
  return dividend / divisor;
}

function remainder(dividend: number, divisor: number): number {
  if (divisor === 0) throw new ExpressionError('Nothing can be divided by zero.');
  return dividend % divisor;
}

function unexpected(token: Token, wanted: string): ExpressionError {
  return new ExpressionError(
    token.kind === 'end'
      ? `The expression ends where ${wanted} should stand.`
      : `“${token.text}” stands where ${wanted} should.`,
  );
}
