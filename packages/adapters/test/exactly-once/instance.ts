// A process of its own: it opens the store that it is told of, and uses each token that it is told of many times.
import type { VerificationToken } from '@postern/core'
import { signInMany } from './sign-in.ts'
import { openStore, type Place } from './store.ts'

export interface Task {
  readonly identifier: string
  readonly token: string
  readonly callers: number
}

process.once('message', (place: Place) => {
  const store = openStore(place)
  process.on('message', async ({ callers, ...pair }: Task) => {
    const token: VerificationToken = { ...pair, expires: new Date() }
    process.send?.(await signInMany(store, token, callers))
  })
  process.send?.('open')
})
process.send?.('ready')
