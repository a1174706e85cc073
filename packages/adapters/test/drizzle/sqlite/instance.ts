// A separate process: it opens each file that it gets, and runs each one-time operation.
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { ada, adaToken, github } from '../people.ts'

process.on('message', async (file: string) => {
  const adapter = sqliteAdapter({ file })
  const [taken, created] = await Promise.allSettled([
    adapter.useVerificationToken(adaToken),
    adapter.createUserWithAccount(ada, github)
  ])
  await adapter.close()
  process.send?.({
    hasTaken: taken.status === 'fulfilled' && taken.value !== null,
    hasCreated: created.status === 'fulfilled',
    failures: [taken, created].flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.name] : []))
  })
})
process.send?.('ready')
