import { type Device, endDevice, endOtherDevices, getDevices, useAccount } from '@postern/react/account'
import { type ReactElement, useCallback, useEffect, useState } from 'react'

interface ItemProps {
  readonly device: Device
  readonly onEnd: (id: string) => void
}

function Item({ device: { id, name, isCurrent, lastSeen }, onEnd }: ItemProps): ReactElement {
  return (
    <li>
      {name ?? 'Unknown device'} {lastSeen && <time dateTime={lastSeen}>{new Date(lastSeen).toLocaleString()}</time>}{' '}
      {isCurrent ? (
        <strong>This device</strong>
      ) : (
        <button type="button" onClick={() => onEnd(id)}>
          Sign out there
        </button>
      )}
    </li>
  )
}

/** Where the user is signed in. The application draws it itself; the account pages have the same as a page. */
export function Devices(): ReactElement | null {
  const { account, status } = useAccount()
  const [devices, setDevices] = useState<readonly Device[]>([])
  const load = useCallback(async () => setDevices((await getDevices()) ?? []), [])
  useEffect(() => {
    if (status === 'authenticated') void load()
  }, [status, load])
  if (!account) return null
  return (
    <section aria-labelledby="devices">
      <h2 id="devices">Your devices</h2>
      <ul>
        {devices.map((device) => (
          <Item key={device.id} device={device} onEnd={(id) => endDevice(id).then(load)} />
        ))}
      </ul>
      {devices.length > 1 && (
        <button type="button" onClick={() => endOtherDevices().then(load)}>
          Sign out all other devices
        </button>
      )}
      <p>
        <a href="/api/auth/account">All settings of the account</a>
      </p>
    </section>
  )
}
