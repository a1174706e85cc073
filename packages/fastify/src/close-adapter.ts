import type { PosternOptions } from '@postern/core'
import type { FastifyInstance } from 'fastify'

/** How many applications use an adapter. */
const users = new WeakMap<object, number>()

/** Closes an adapter with the application; one that several share, with the last of them. */
export function closeWith(app: FastifyInstance, adapter: PosternOptions['adapter']): void {
  if (!adapter) return
  users.set(adapter, (users.get(adapter) ?? 0) + 1)
  app.addHook('onClose', async () => {
    const others = (users.get(adapter) ?? 1) - 1
    users.set(adapter, others)
    if (others === 0) await adapter.close?.()
  })
}
