import { configure } from '@testing-library/dom';

// A machine with two cores also runs a browser and the other projects meanwhile.
configure({ asyncUtilTimeout: 20_000 });
