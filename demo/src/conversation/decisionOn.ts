import { type AgentSession, fingerprintOf, type ToolPart } from 'brooklet';
import { asked } from '../switchable.ts';
import { tabName } from '../tab.ts';

/** Returns the options of a decision on a call as it is shown. What another device has asked, that device carries out. */
export const decisionOn = ({ id }: AgentSession, call: ToolPart) => ({
  userName: tabName,
  fingerprint: fingerprintOf(call),
  drive: !asked.has(id),
});
