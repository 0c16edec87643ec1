import { totalInput } from '../../core/model/index.ts';
import type { UsagePoint } from '../../review/index.ts';
import type { ReactElement } from 'react';
import { useReviewTexts } from './reviewTexts.ts';

const [width, height] = [960, 180];
/** Bars that are drawn: of more answers, neighbours share a bar. */
const maxBars = 120;

/** The tokens of each answer as bars, input below output, and a scale. The table below has the numbers. */
export function UsageChart({ points }: { readonly points: readonly UsagePoint[] }): ReactElement {
  const texts = useReviewTexts();
  const bars = toBars(points);
  const most = Math.max(1, ...bars.map(({ input, output }) => input + output));
  const slot = width / bars.length;
  const thick = Math.max(1, Math.min(48, slot * 0.7));
  const tall = (tokens: number): number => (tokens / most) * (height - 8);
  return (
    <figure className="bk-chart">
      <figcaption>
        <span data-kind="input">{texts.facts.input}</span>
        <span data-kind="output">{texts.facts.output}</span>
        <span className="bk-hint">{texts.usage.chart(texts.formats.count(most))}</span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {[0.25, 0.5, 0.75, 1].map((part) => (
          <line key={part} x1={0} x2={width} y1={height - tall(most * part)} y2={height - tall(most * part)} />
        ))}
        {bars.map(({ input, output }, index) => {
          const x = slot * index + (slot - thick) / 2;
          return (
            <g key={index}>
              <rect data-kind="input" x={x} width={thick} y={height - tall(input)} height={tall(input)} />
              <rect
                data-kind="output"
                x={x}
                width={thick}
                y={height - tall(input + output)}
                height={Math.max(1, tall(output))}
              />
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

interface Bar {
  readonly input: number;
  readonly output: number;
}

/** Returns the tokens of each answer; of neighbours that share a bar, the average. */
function toBars(points: readonly UsagePoint[]): readonly Bar[] {
  const each = Math.ceil(points.length / maxBars);
  return Array.from({ length: Math.ceil(points.length / each) }, (_none, index) => {
    const some = points.slice(index * each, (index + 1) * each);
    const input = some.reduce((sum, { usage }) => sum + totalInput(usage), 0) / some.length;
    const output = some.reduce((sum, { usage }) => sum + usage.output, 0) / some.length;
    return { input, output };
  });
}
