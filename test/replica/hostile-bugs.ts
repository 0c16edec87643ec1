import { type Bugs, swap } from '../simulation/bugs/bug.ts';

const vet = 'src/sync/devices/vet.ts';

/** What somebody might get wrong in the check of signed decisions and not see, one at a time. */
export const bugs: Bugs = {
  'the signature is not checked': swap(
    vet,
    "statement === undefined ? { why: 'invalid' } : check(statement, proof)",
    "statement === undefined ? { why: 'invalid' } : {}",
  ),
  'the signature is checked, but not the call': swap(
    'src/sync/devices/statement.ts',
    '[...requested, ...asked].map(withoutPosition),\n    withoutPosition(content),',
    "[],\n    { ...withoutPosition(content), callId: '' },",
  ),
  'what nobody has signed counts': swap(vet, "return { why: 'unsigned' };", 'return {};'),
  'the signature of a removed device counts': swap(
    'src/sync/devices/check-signature.ts',
    "return signer.isRemoved ? { why: 'removed-device', device: signer.name } : { device: signer.name };",
    'return { device: signer.name };',
  ),
  'a proposal is not checked': swap(
    vet,
    "return event.type === 'approval.decided' && event.verdict === 'expired';",
    "return event.type === 'approval.proposed' || event.verdict === 'expired';",
  ),
  'what is no decision of a person is not checked': swap(
    vet,
    "return event.type === 'approval.decided' && event.verdict === 'expired';",
    "return event.type === 'approval.decided' && event.decidedBy !== 'user';",
  ),
  'what has begun is forgotten where the page ends before both sides are noted': swap(
    'src/sync/replica/plan.ts',
    'vetted.spent.length > (base.spent?.length ?? 0)',
    'vetted.spent.length < 0',
  ),
  'a call counts as ended when the log says so, and it has not begun': swap(
    vet,
    'filter((event) => isOf(event, runnable));\n    for',
    'filter((event) => isOf(event, []));\n    for',
  ),
  'only whole logs are checked': swap(
    'src/sync/replica/sides.ts',
    'sides.from === 0 || sides.there.stored.events.some(isDecision)',
    'sides.from === 0',
  ),
};
