// A separate process: it opens the given store, and uses each given token, ticket and factor
// many times.
import type { TicketKey, VerificationToken } from '@postern/core'
import { type FactorTask, signInMany, updateFactorMany, useTicket } from './sign-in.ts'
import { openStore, type StoreOptions } from './store.ts'

interface TokenTask {
  readonly identifier: string
  readonly token: string
  readonly callers: number
}

interface TicketTask {
  readonly ticket: TicketKey
  readonly callers: number
}

export type Task = TokenTask | TicketTask | (FactorTask & { readonly callers: number })

process.once('message', (database: StoreOptions) => {
  const store = openStore(database)
  const run = ({ callers, ...task }: Task) => {
    if ('factor' in task) return updateFactorMany(store, task, callers)
    if ('ticket' in task) return useTicket(store, task.ticket, callers)
    const token: VerificationToken = { ...task, expires: new Date() }
    return signInMany(store, token, callers)
  }
  process.on('message', async (task: Task) => {
    process.send?.(await run(task))
  })
  process.send?.('open')
})
process.send?.('ready')
