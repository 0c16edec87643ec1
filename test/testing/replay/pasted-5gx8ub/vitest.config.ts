import { mutated } from '../../../../scripts/mutation.mjs';
import { alias } from '../../../../vite.config.ts';
const mutations = [];
export default {
  root: "/tmp/wt/trust/",
  resolve: { alias },
  plugins: [{
    name: 'mutant',
    enforce: 'pre',
    transform: (code, id) => mutations.filter(({ file }) => id === "/tmp/wt/trust/" + file).reduce(mutated, code),
  }],
  test: { include: ['test/testing/replay/pasted-5gx8ub/*.test.ts'] },
};