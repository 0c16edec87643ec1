import { arithmeticTool, evaluate, ExpressionError } from 'brooklet/tools';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { run } from './run.ts';
import { seeded } from '../support/seeded.ts';

describe('evaluate', () => {
  it.each<readonly [string, number]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['8 / 4 / 2', 1],
    ['10 - 4 - 3', 3],
    ['2 ^ 3 ^ 2', 512],
    ['2 ** 10', 1024],
    ['-2 ^ 2', -4],
    ['(-2) ^ 2', 4],
    ['2 ^ -1', 0.5],
    ['--3', 3],
    ['2 * -3', -6],
    ['10 % 4', 2],
    ['10 % -3', 1],
    ['-7 % 3', -1],
    ['0.1 + 0.2', 0.3],
    ['2 ^ 60', 1152921504606846976],
    ['6 × 7 ÷ 2 − 1', 20],
    ['1.5e3 + .5 + 2.', 1502.5],
    ['sqrt(2) ^ 2', 2],
    ['max(1, 2, 3) - min(4, 5)', -1],
    ['round(2.5) + round(-2.5)', 0],
    ['round(pi, 2)', 3.14],
    ['round(1.005, 2)', 1.01],
    ['round(1234, -2)', 1200],
    ['ln(e) + log10(1000) + log2(8) + log(9, 3)', 9],
    ['sum(1, 2, 3) / mean(1, 2, 3)', 3],
    ['factorial(5)', 120],
    ['hypot(3, 4)', 5],
    ['PI - π', 0],
    ['\t7\n', 7],
  ])('evaluates %s', (expression, value) => {
    expect(evaluate(expression)).toBe(value);
  });

  it.each<readonly [string, string]>([
    ['', 'Expected a number at the end of the expression.'],
    ['1 +', 'Expected a number at the end of the expression.'],
    ['(1 + 2', 'Expected “)” at the end of the expression.'],
    ['1 2', 'Expected an operator or the end at character 3, not “2”.'],
    ['2(3)', 'Expected an operator or the end at character 2, not “(”.'],
    ['* 2', 'Expected a number at character 1, not “*”.'],
    ['50%', 'Expected a number at the end of the expression.'],
    [
      '1,000 + 1',
      'Expected an operator or the end at character 2, not “,”. Write numbers without separators between thousands.',
    ],
    ['1 / (2 - 2)', 'Division by zero at character 3.'],
    ['5 % 0', 'Division by zero at character 3.'],
    ['sqrt(0 - 1)', 'The result of “sqrt” at character 1 is not a real number.'],
    ['(0 - 8) ^ 0.5', 'The result of “^” at character 9 is not a real number.'],
    ['9 ^ 9 ^ 9', 'The result of “^” at character 3 is too large for a number.'],
    ['1e999', 'The result of “1e999” at character 1 is too large for a number.'],
    ['factorial(171)', 'The result of “factorial” at character 1 is too large for a number.'],
    ['log(10)', '“log” at character 1 takes 2 values, not 1.'],
    ['sqrt(1, 2)', '“sqrt” at character 1 takes 1 value, not 2.'],
    ['max()', 'Expected a number at character 5, not “)”.'],
    ['sqrt', 'Expected “(” at the end of the expression.'],
    ['2 + $3', '“$” at character 5 is not arithmetic.'],
    ['"a"', '“"” at character 1 is not arithmetic.'],
    ['1 + 😀', '“😀” at character 5 is not arithmetic.'],
  ])('reports the problem in %j', (expression, message) => {
    expect(() => evaluate(expression)).toThrow(new ExpressionError(message));
  });

  it.each(['alert(1)', 'constructor(1)', 'toString', 'process', 'globalThis'])('runs no code: %s', (expression) => {
    expect(() => evaluate(expression)).toThrow(/is not a known name\. Known names: sqrt, /);
  });

  it('is bounded in length and depth', () => {
    expect(() => evaluate('1+'.repeat(600))).toThrow('The expression has 1200 characters; 1000 are allowed.');
    expect(evaluate('1+1+1', { maxLength: 5 })).toBe(3);
    expect(evaluate(`${'('.repeat(64)}1${')'.repeat(64)}`)).toBe(1);
    for (const deep of ['('.repeat(65), '-'.repeat(65), '2^'.repeat(65), 'abs('.repeat(65)]) {
      expect(() => evaluate(`${deep}1`)).toThrow('The expression nests deeper than 64 levels.');
    }
    expect(() => evaluate('((1))', { maxDepth: 1 })).toThrow('deeper than 1 levels');
  });

  it('returns a finite number or throws an ExpressionError, for any text', () => {
    const pieces = fc.constantFrom(...'0123456789.+-*/%^(),eE πx'.split(''), 'sqrt(', 'max(', 'round(', 'log(');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((all) => all.join('')),
        ),
        (expression) => {
          try {
            expect(evaluate(expression)).toSatisfy(Number.isFinite);
          } catch (error) {
            expect(error).toBeInstanceOf(ExpressionError);
          }
        },
      ),
      seeded(2_000),
    );
  });

  it('agrees with JavaScript on integers and brackets', () => {
    interface Tree {
      readonly text: string;
      readonly value: number;
    }
    const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.nat({ max: 99 }).map((value) => ({ text: String(value), value })),
        tie('tree').map(({ text, value }) => ({ text: `-(${text})`, value: -value })),
        fc.tuple(tie('tree'), tie('tree')).map(([one, other]) => ({
          text: `(${one.text}) - (${other.text})`,
          value: one.value - other.value,
        })),
        fc.tuple(tie('tree'), tie('tree')).map(([one, other]) => ({
          text: `(${one.text}) * (${other.text})`,
          value: one.value * other.value,
        })),
      ),
    }));
    // JavaScript may return -0.
    fc.assert(
      fc.property(tree, ({ text, value }) => {
        expect(evaluate(text)).toBe(value + 0);
      }),
      seeded(300),
    );
  });
});

describe('arithmeticTool', () => {
  it('evaluates an expression and makes a summary', async () => {
    const { output, presentation } = await run(arithmeticTool(), { expression: '(2 + 3) * 4' });
    expect(output).toEqual({ result: 20 });
    expect(presentation).toEqual({ summary: '(2 + 3) * 4 = 20' });
  });

  it('marks integers that are no longer exact', async () => {
    expect((await run(arithmeticTool(), { expression: '2 ^ 53 - 1' })).output).toEqual({ result: 2 ** 53 - 1 });
    expect((await run(arithmeticTool(), { expression: '2 ^ 60' })).output).toEqual({
      result: 2 ** 60,
      approximate: true,
    });
  });

  it('rejects other inputs by its schema', async () => {
    await expect(run(arithmeticTool(), {})).rejects.toThrow('refused: input.expression is missing');
    await expect(run(arithmeticTool(), { expression: 3 })).rejects.toThrow('must be string');
    await expect(run(arithmeticTool({ maxLength: 3 }), { expression: '1 + 1' })).rejects.toThrow('3 are allowed');
  });
});
