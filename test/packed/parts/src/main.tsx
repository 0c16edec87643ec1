import { hydrateRoot } from 'react-dom/client';
import { App } from './app';
import './components/brooklet/style.css';

const root = document.querySelector('#root');

if (root) hydrateRoot(root, <App />, { onRecoverableError: (error) => console.error('Not as rendered:', error) });
