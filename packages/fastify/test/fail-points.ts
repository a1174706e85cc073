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

/** Kills the process at this point, as a loss of the machine would. */
function reach(point: FailPoint | undefined, requested: FailPoint): void {
  if (point === requested) process.kill(process.pid, 'SIGKILL')
}

/** Returns an adapter with which the process is killed at a point of a sign-in. */
export function withFailPoint(adapter: Adapter, requested: FailPoint): Adapter {
  return new Proxy(adapter, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (!isMethod(name) || typeof method !== 'function') return method
      const { before, after } = points[name]
      const failing = async (...args: readonly unknown[]): Promise<unknown> => {
        reach(before, requested)
        const result: unknown = await Reflect.apply(method, target, args)
        reach(after, requested)
        return result
      }
      return Object.assign(failing, { ...method })
    }
  })
}

/** Kills the process before the response that carries a new session, if that is the point. */
export function addFailPointHook(app: FastifyInstance, requested: FailPoint): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const cookies = [reply.getHeader('set-cookie') ?? []].flat().map(String)
    const hasSession = cookies.some((cookie) => /session-token=[^;]/.test(cookie))
    if (hasSession && request.url.includes('/callback/')) reach('before-answer', requested)
    return payload
  })
}
