import { describe, expect, it } from 'vitest';
import { calculate, ExpressionError } from '../../demo/src/tools/expression.ts';

describe('calculate', () => {
  it.each<readonly [string, number]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['2 ** 10', 1024],
    ['10 / 4', 2.5],
    ['10 % 4', 2],
    ['17.5% * 240', 42],
    ['200 + 10%', 200.1],
    ['50%', 0.5],
    ['0.1 + 0.2', 0.3],
    ['6 × 7 ÷ 2 − 1', 20],
    ['sqrt(2) ^ 2', 2],
    ['max(1, 2, 3) - min(4, 5)', -1],
    ['round(pi * 100) / 100', 3.14],
    ['ln(e)', 1],
    ['1.5e3 + .5', 1500.5],
    ['--3', 3],
    ['  7  ', 7],
  ])('works out %s', (expression, result) => {
    expect(calculate(expression)).toBe(result);
  });

  it.each<readonly [string, RegExp]>([
    ['', /ends where a number/],
    ['1 +', /ends where a number/],
    ['(1 + 2', /ends where “\)”/],
    ['1 2', /“2” stands where an operator/],
    ['1 / 0', /divided by zero/],
    ['1 % 0', /divided by zero/],
    ['sqrt(-1)', /not a finite number/],
    ['9 ^ 9 ^ 9', /not a finite number/],
    ['alert(1)', /“alert” is not a function/],
    ['constructor(1)', /“constructor” is not a function/],
    ['__proto__', /“_” at character 1/],
    ['1; 2', /“;” at character 2/],
    ['`x`', /“`” at character 1/],
    [`${'('.repeat(100)}1${')'.repeat(100)}`, /nests deeper/],
    ['1+'.repeat(300), /longer than/],
  ])('refuses %s', (expression, reason) => {
    expect(() => calculate(expression)).toThrow(ExpressionError);
    expect(() => calculate(expression)).toThrow(reason);
  });
});
