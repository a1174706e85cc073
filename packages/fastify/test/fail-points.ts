import { AsyncLocalStorage } from 'node:async_hooks'
import type { Adapter } from '@postern/core'
import type { FastifyInstance } from 'fastify'

/** Points of a sign-in, before or after a call of the adapter, and before the response with the session. */
export const failPoints = [
  'before-consume',
  'after-consume',
  'after-user',
  'after-account',
  'after-session',
  'before-commit',
  'after-commit',
  'before-answer'
] as const

export type FailPoint = (typeof failPoints)[number]

type Method =
  | 'createUser'
  | 'linkAccount'
  | 'createUserWithAccount'
  | 'createSession'
  | 'useVerificationToken'
  | 'transact'

const points: Readonly<Record<Method, { readonly before?: FailPoint; readonly after: FailPoint }>> = {
  createUser: { after: 'after-user' },
  linkAccount: { after: 'after-account' },
  createUserWithAccount: { after: 'after-account' },
  createSession: { after: 'after-session' },
  useVerificationToken: { before: 'before-consume', after: 'after-consume' },
  transact: { before: 'before-commit', after: 'after-commit' }
}

const isMethod = (name: string | symbol): name is Method => typeof name === 'string' && name in points

const requested = new AsyncLocalStorage<{ readonly point: string; isReached: boolean }>()

/** Stops the request forever if this is its point, and reports it to the parent. */
async function reach(point: FailPoint | undefined): Promise<void> {
  const current = requested.getStore()
  if (current === undefined || current.point !== point) return
  if (!current.isReached) process.send?.({ reached: point })
  current.isReached = true
  await new Promise<never>(() => undefined)
}

/** Returns an adapter whose calls stop at the point of their request. */
export function withFailPoints(adapter: Adapter): Adapter {
  return new Proxy(adapter, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (!isMethod(name) || typeof method !== 'function') return method
      const { before, after } = points[name]
      const failing = async (...args: readonly unknown[]): Promise<unknown> => {
        await reach(before)
        const result: unknown = await Reflect.apply(method, target, args)
        await reach(after)
        return result
      }
      return Object.assign(failing, { ...method })
    }
  })
}

/** Lets requests state a point at which they stop until the process is killed, as by a loss of the machine. */
export function addFailPointHooks(app: FastifyInstance): void {
  // After the body has been read, whose events are not those of the request.
  app.addHook('preValidation', ({ headers }, _reply, done) => {
    const { 'x-fail-point': point } = headers
    if (typeof point === 'string') requested.run({ point, isReached: false }, done)
    else done()
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const cookies = [reply.getHeader('set-cookie') ?? []].flat().map(String)
    const hasSession = cookies.some((cookie) => /session-token=[^;]/.test(cookie))
    if (hasSession && request.url.includes('/callback/')) await reach('before-answer')
    return payload
  })
}
