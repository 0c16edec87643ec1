import '../harness.ts';
import '../../../../readme/plain.ts';
