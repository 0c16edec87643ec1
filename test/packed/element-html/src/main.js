import '../brooklet-chat.min.js';

const chat = document.querySelector('brooklet-chat');
const heard = document.querySelector('#events');
chat.apiKey = 'sk-test';
chat.baseURL = 'https://api.openai.com/v1';
chat.tools = [
  {
    name: 'pay',
    description: 'Pays an invoice.',
    input: { type: 'object', properties: { invoice: { type: 'string' }, amount: { type: 'number' } } },
    needsApproval: true,
    execute: ({ invoice }) => `Paid ${invoice}.`,
  },
];
chat.addEventListener('finish', ({ detail }) => (heard.textContent += ` finish:${detail.outcome}`));
chat.addEventListener('approval', ({ detail }) => (heard.textContent += ` approval:${detail.name}`));
