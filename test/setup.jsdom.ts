import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// React warns about updates outside `act` only where this says that a test is running.
(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

afterEach(cleanup);
