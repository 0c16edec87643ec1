import '../harness.ts';
import '../../../../readme/chat.tsx';
