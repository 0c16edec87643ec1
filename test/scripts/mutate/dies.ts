import { it } from 'vitest';
import { isSmall } from './small.ts';

it('ends its process while a mutant is on', () => {
  if (isSmall(3)) process.kill(process.pid, 'SIGKILL');
});
