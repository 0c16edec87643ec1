// The lint rules of this repository, for oxlint (`jsPlugins` in .oxlintrc.json).

import { noButtonSwap } from './no-button-swap.mjs';

const plugin = { meta: { name: 'brooklet' }, rules: { 'no-button-swap': noButtonSwap } };

export default plugin;
