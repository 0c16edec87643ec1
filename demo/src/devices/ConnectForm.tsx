import { Segments } from 'brooklet/ui';
import { type ReactElement, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { AddressForm } from './AddressForm.tsx';
import { getArrivedCode } from './arrival.ts';
import { CodeForm } from './CodeForm.tsx';

/** Connects this device, by the address of the engine or by a code of another device. */
export function ConnectForm(): ReactElement {
  const { devices: words } = useAllTexts();
  const [way, setWay] = useState<'address' | 'code'>(getArrivedCode() === '' ? 'address' : 'code');
  return (
    <>
      <Segments
        legend={words.how}
        options={[
          { value: 'address', label: words.byAddress },
          { value: 'code', label: words.byCode },
        ]}
        value={way}
        onChange={setWay}
      />
      {way === 'address' ? <AddressForm /> : <CodeForm />}
    </>
  );
}
