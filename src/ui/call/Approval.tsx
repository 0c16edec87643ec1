import { type ReactElement, type SyntheticEvent, useState } from 'react';
import { TimeLeft } from '../base/Clock.tsx';
import { part } from '../base/part.ts';
import { Segments } from '../base/Segments.tsx';
import { isJsonObject, type Json } from '../../core/model/index.ts';
import { useLabels } from '../labels/useLabels.ts';
import { useParts } from '../parts.ts';
import type { ApprovalProps, Remember } from './props.ts';
import { Begun } from './Begun.tsx';
import { Preview } from './Preview.tsx';
import { Reason } from './Reason.tsx';
import { schemaOf } from './schema.ts';
import { SchemaForm } from './SchemaForm.tsx';
import { useOnce } from './useOnce.ts';
import { visible } from '../base/visible.ts';

const all: readonly Remember[] = ['once', 'session', 'agent'];

/** Asks the person to approve a call, to approve it with another input, or to reject it; once, or as a rule. */
export function Approval(props: ApprovalProps): ReactElement {
  const { call, onApprove, onReject, edit = 'form', schema, remember: choices = all, labels, className } = props;
  const { renderPreview } = props;
  const words = useLabels('approval', labels);
  const form = useLabels('form', undefined);
  const { title: titleOf } = useLabels('tool', undefined);
  const { SchemaForm: Fields = SchemaForm } = useParts();
  const [mode, setMode] = useState<'asking' | 'editing' | 'rejecting'>('asking');
  const [remember, setRemember] = useState<Remember>(choices[0] ?? 'once');
  /** What was begun stays in the page, hidden: nothing that was typed is lost by a look back. */
  const [begun, setBegun] = useState<readonly (typeof mode)[]>([]);
  const once = useOnce();
  const title = visible(props.title ?? titleOf(call.name));
  const input = call.input ?? {};

  const toMode = (next: typeof mode): void => {
    setMode(next);
    setBegun((before) => (before.includes(next) ? before : [...before, next]));
    once.clear();
  };
  const approve = (event: SyntheticEvent): void => {
    event.preventDefault();
    once.run(() => onApprove({ remember }));
  };
  const approveEdited = (edited: Json): unknown => {
    if (!isJsonObject(edited)) throw new TypeError(form.notObject);
    // An edited input applies to this call only.
    return onApprove(JSON.stringify(edited) === JSON.stringify(input) ? { remember } : { input: edited });
  };
  const names = { once: words.once, session: words.session, agent: words.agent };
  const titles = { once: words.onceTitle, session: words.sessionTitle, agent: words.agentTitle };
  const preview = <Preview call={call} schema={schema} />;
  const decideFor = choices.length > 1 && mode !== 'editing' && (
    <Segments
      legend={words.decideFor}
      options={choices.map((choice) => ({ value: choice, label: names[choice], title: titles[choice] }))}
      value={remember}
      onChange={setRemember}
    />
  );

  return (
    <div {...part('approval', className, mode)} role="group" aria-label={words.form(title)}>
      <p className="bk-ask">
        <strong>
          <bdi>{words.question(title)}</bdi>
        </strong>
        {call.approval?.expiresAt === undefined ? (
          <span className="bk-hint">{words.waits}</span>
        ) : (
          <TimeLeft until={call.approval.expiresAt} label={words.left} endLabel={words.expired} />
        )}
      </p>
      {call.approval?.cause === 'untrusted' && <p className="bk-warning">{words.untrusted}</p>}
      {mode !== 'editing' && (renderPreview ? renderPreview(preview) : preview)}
      {begun.includes('editing') && (
        <Begun isShown={mode === 'editing'}>
          <Fields
            schema={schema ?? schemaOf(input)}
            value={input}
            isJSON={edit === 'json'}
            submitLabel={words.approveEdited}
            onSubmit={approveEdited}
            onBack={() => toMode('asking')}
          />
        </Begun>
      )}
      {begun.includes('rejecting') && (
        <Begun isShown={mode === 'rejecting'}>
          <Reason
            label={words.rejectCall}
            question={words.whyNot}
            optional={form.optional}
            back={words.back}
            once={once}
            onReason={(reason) => onReject(reason === '' ? { remember } : { remember, reason })}
            onBack={() => toMode('asking')}
          />
        </Begun>
      )}
      {mode === 'asking' && (
        <form onSubmit={approve}>
          {once.refusal !== undefined && (
            <p className="bk-bad" role="alert">
              {once.refusal.message}
            </p>
          )}
          <div className="bk-buttons">
            <button type="submit" className="bk-button" data-state="primary" aria-disabled={once.isUnderWay}>
              {words.approve}
            </button>
            {edit !== false && (
              <button type="button" className="bk-button" onClick={() => toMode('editing')}>
                {words.edit}
              </button>
            )}
            <button type="button" className="bk-button" onClick={() => toMode('rejecting')}>
              {words.reject}
            </button>
          </div>
        </form>
      )}
      {decideFor}
    </div>
  );
}
