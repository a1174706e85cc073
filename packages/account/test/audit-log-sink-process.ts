import { auditLog } from '@postern/account/audit-log'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { createPostern } from '@postern/core'

const [file = '', mode = ''] = process.argv.slice(2)

/** The parent has received the message: what is sent last before a kill may be lost otherwise. */
const send = (message: object): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(message, undefined, {}, () => resolve())
  })

const auth = createPostern({
  url: 'https://app.test',
  secret: 'a secret of the tests, 32 characters or more',
  adapter: sqliteAdapter({ file }),
  session: { strategy: 'database' },
  providers: [],
  features: [
    auditLog({
      sink: async (records) => {
        await send({ ids: records.map(({ id }) => id) })
        if (mode === 'kill') process.kill(process.pid, 'SIGKILL')
      }
    })
  ]
})
await auth.features['audit-log'].flush()
await auth.close()
await send({ done: true })
process.disconnect()
