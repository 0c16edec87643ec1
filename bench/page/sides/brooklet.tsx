import { showBrooklet } from '../brooklet.tsx';

showBrooklet();
