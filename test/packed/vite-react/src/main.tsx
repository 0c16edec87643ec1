import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { agent } from './agent';
import App from './App';
import { inspect } from './inspect';
import './index.css';

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
inspect(agent);
