// A separate process: it opens each given store, and uses each given token, ticket and factor
// many times.
import type { TicketKey, VerificationToken } from '@postern/core'
import { type AdvanceTask, advanceMany, type FactorTask, signInMany, updateFactorMany, useTicket } from './sign-in.ts'
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

export type Task = TokenTask | TicketTask | ((FactorTask | AdvanceTask) & { readonly callers: number })

let store: ReturnType<typeof openStore> | null = null

async function run(message: Task | StoreOptions): Promise<unknown> {
  if ('store' in message) {
    await store?.close()
    store = openStore(message)
    return 'open'
  }
  if (!store) throw new Error('expected a store first')
  const { callers, ...task } = message
  if ('advance' in task) return advanceMany(store, task, callers)
  if ('factor' in task) return updateFactorMany(store, task, callers)
  if ('ticket' in task) return useTicket(store, task.ticket, callers)
  const token: VerificationToken = { ...task, expires: new Date() }
  return signInMany(store, token, callers)
}

process.on('message', async (message: Task | StoreOptions) => {
  process.send?.(await run(message))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
