import { useCallback, useEffect, useState } from 'react'
import { getAccount } from './account-calls.ts'
import type { AccountValue } from './account-types.ts'

type Loaded = Omit<AccountValue, 'refresh'>

async function load(): Promise<Loaded> {
  try {
    const account = await getAccount()
    return { account, status: account ? 'authenticated' : 'unauthenticated' }
  } catch {
    return { account: null, status: 'failed' }
  }
}

/** Returns the signed-in user and the sections of the account page, which it loads once. Needs no `SessionProvider`. */
export function useAccount(): AccountValue {
  const [loaded, setLoaded] = useState<Loaded>({ account: null, status: 'loading' })
  const refresh = useCallback(async () => setLoaded(await load()), [])
  useEffect(() => {
    let isCurrent = true
    load().then((value) => {
      if (isCurrent) setLoaded(value)
    })
    return () => {
      isCurrent = false
    }
  }, [])
  return { ...loaded, refresh }
}
