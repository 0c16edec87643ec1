import { createIndexedDBStore } from 'brooklet/storage';
import { showBrooklet } from '../brooklet.tsx';

showBrooklet(() => createIndexedDBStore());
