// Notes that the commit that is checked out has landed green: the last step of .ci/run.

import { noteLanding } from './change.mjs';

if (noteLanding()) console.log('Noted in .ci/landed.json: commit it with the next change.');
else console.log('Not noted as landed: some files are not committed.');
