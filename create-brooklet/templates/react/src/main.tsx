import { createRoot } from 'react-dom/client';
import { Chat } from './Chat';
import './style.css';

const root = document.querySelector('#root');
if (root) createRoot(root).render(<Chat />);
