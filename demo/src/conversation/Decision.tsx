import { Approval, type ApprovalProps } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { RequestPreview } from './RequestPreview.tsx';

/** Asks for a decision on a call, with what the call would do as a person reads it. */
export function Decision(props: ApprovalProps): ReactElement {
  return <Approval {...props} renderPreview={(usual) => <RequestPreview call={props.call}>{usual}</RequestPreview>} />;
}
