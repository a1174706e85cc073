import type { PosternOptions } from '@postern/core'
import type { FastifyInstance } from 'fastify'

/** The number of applications that use each adapter. */
const users = new WeakMap<object, number>()

/** Closes the adapter with the application. A shared adapter is closed with the last application that uses it. */
export function closeAdapter(app: FastifyInstance, adapter: PosternOptions['adapter']): void {
  if (!adapter) return
  users.set(adapter, (users.get(adapter) ?? 0) + 1)
  app.addHook('onClose', async () => {
    const others = (users.get(adapter) ?? 1) - 1
    users.set(adapter, others)
    if (others === 0) await adapter.close?.()
  })
}
