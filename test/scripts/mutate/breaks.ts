import { beforeAll, it } from 'vitest';
import { isSmall } from './small.ts';

beforeAll(() => {
  throw new Error('Nothing is ready.');
});

it('never runs', () => void isSmall(2));
