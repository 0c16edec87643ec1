import type { LLMRequest } from 'brooklet';
import { type ReactElement, useEffect, useState } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { CopyButton } from 'brooklet/ui';
import { JsonBox } from './JsonBox.tsx';
import type * as WiresModule from './wires.ts';

interface BodyTextProps {
  readonly request: LLMRequest;
  readonly model: string;
}

type Wires = typeof WiresModule;

/** The request as the bytes of a wire. The code of the wires is loaded when this is first shown. */
export function BodyText({ request, model }: BodyTextProps): ReactElement {
  const { sent: words } = useReviewTexts();
  const [wires, setWires] = useState<Wires>();
  const [chosen, setChosen] = useState<WiresModule.WireName>();
  const [body, setBody] = useState('');
  const [problem, setProblem] = useState<string>();
  const wire = chosen ?? wires?.wireOf(model);

  useEffect(() => {
    loadWires().then(setWires, () => setProblem(words.noWires));
  }, [words]);

  useEffect(() => {
    let isStale = false;
    if (!wires || wire === undefined) return undefined;
    wires.bodyOf(request, wire, model).then(
      (text) => {
        if (isStale) return;
        setBody(text);
        setProblem(undefined);
      },
      (thrown: unknown) => isStale || setProblem(thrown instanceof Error ? thrown.message : String(thrown)),
    );
    return () => {
      isStale = true;
    };
  }, [wires, request, wire, model]);

  return (
    <>
      <div className="bk-bar">
        <label className="bk-picker">
          <span>{words.wire}</span>
          <select
            value={wire ?? 'chat'}
            onChange={({ target }) => setChosen(wires?.wires.find(({ name }) => name === target.value)?.name)}
          >
            {wires?.wires.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <CopyButton label={words.copyBody} getText={() => body} />
      </div>
      {problem === undefined ? (
        <JsonBox label={words.body} text={indented(body)} />
      ) : (
        <p className="bk-bad">{problem}</p>
      )}
      <p className="bk-hint">{words.bodyHint}</p>
    </>
  );
}

const loadWires = (): Promise<Wires> => import('./wires.ts');

/** Returns JSON with line breaks; other text as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
