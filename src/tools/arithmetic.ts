import { named } from '../core/model/shapes/named.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import { type Tool } from '../core/tools/tool.ts';
import { evaluate, type ExpressionOptions } from './expression.ts';
import { labelOf, textOf } from './input.ts';
import { mark } from './trust/mark.ts';

/** A tool that evaluates arithmetic expressions: see `evaluate`. */
export function arithmeticTool(options: ExpressionOptions = {}): Tool {
  named(options, { maxLength: true, maxDepth: true }, 'arithmeticTool');
  const tool = defineTool({
    name: 'calculate',
    description:
      'Evaluates an arithmetic expression: + - * / ^, % (remainder), brackets, pi, e, sqrt, cbrt, abs, floor, ceil, trunc, round(x, digits), exp, ln, log10, log2, log(x, base), sin, cos, tan, asin, acos, atan, atan2 (radians), hypot, min, max, sum, mean, factorial.',
    input: {
      type: 'object',
      properties: { expression: { type: 'string', minLength: 1, description: 'For example (2 + 3) * 4' } },
      required: ['expression'],
      additionalProperties: false,
    },
    execute: (input) => {
      const result = evaluate(textOf(input, 'expression'), options);
      // Above 2 ^ 53 a double cannot represent every integer.
      return Math.abs(result) > Number.MAX_SAFE_INTEGER ? { result, approximate: true } : { result };
    },
    present: (input, output) => ({ summary: `${textOf(input, 'expression')} = ${labelOf(output, 'result')}` }),
  });
  return mark(tool, { trusted: true, harmless: true });
}
