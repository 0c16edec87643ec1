// As the `src/main.tsx` of an empty project of Vite.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../../../../readme/index.css';
import App from '../../../../readme/App';

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
