import { Chat } from '../src/Chat';

export default function Page() {
  return (
    <main>
      <Chat />
    </main>
  );
}
