import { AuthError, type AuthRequest, type Postern } from '@postern/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { assertReply, assertRequest } from './assert-arguments.ts'
import { registration, type SessionReader } from './registration.ts'
import { toAuthRequest } from './request.ts'
import type { PosternInterface } from './types.ts'

type RequestInterface = Pick<PosternInterface, 'csrfToken' | 'sendMail' | 'signIn' | 'users'>

interface RequestFunctions {
  readonly assertOwn: (call: string, request: FastifyRequest) => void
  readonly toRequest: (request: FastifyRequest) => AuthRequest
}

function createUserInterface(
  auth: Postern,
  sessions: SessionReader,
  { assertOwn, toRequest }: RequestFunctions
): PosternInterface['users'] {
  return {
    ...auth.users,
    impersonate: async (request, reply, userId, options) => {
      assertOwn('users.impersonate', request)
      assertReply('users.impersonate', request, reply)
      const { cookies, expires } = await auth.users.impersonate(toRequest(request), userId, options)
      await sessions.setCookies(request, reply, cookies)
      sessions.forget(request)
      return { expires }
    },
    stopImpersonating: async (request, reply) => {
      assertOwn('users.stopImpersonating', request)
      assertReply('users.stopImpersonating', request, reply)
      await sessions.setCookies(request, reply, await auth.users.stopImpersonating(toRequest(request)))
      sessions.forget(request)
    }
  }
}

/** The members of `app.postern` that act for the browser of a request. */
export function createRequestInterface(auth: Postern, sessions: SessionReader): RequestInterface {
  /** @throws TypeError for a request of another registration too: its browser may be signed in there. */
  const assertOwn = (call: string, request: FastifyRequest): void => {
    assertRequest(call, request)
    if (request.server[registration]?.auth === auth) return
    throw new TypeError(
      `${call}: expected a request to the scope of this registration, got one of another registration`
    )
  }
  const toRequest = (request: FastifyRequest): AuthRequest => ({
    ...toAuthRequest(request, '/callback/application'),
    ...sessions.target(request)
  })
  /** Sets the cookies of a refusal too, such as the turn of a client that has to wait. */
  const withCookies = async <T>(request: FastifyRequest, reply: FastifyReply | null, work: Promise<T>): Promise<T> =>
    work.catch(async (error: unknown) => {
      if (error instanceof AuthError && reply) await sessions.setCookies(request, reply, error.cookies)
      throw error
    })
  return {
    signIn: async (request, reply, userId, options) => {
      assertOwn('signIn', request)
      assertReply('signIn', request, reply)
      // What the application has compared may have changed since the request arrived.
      const startedAt = sessions.now() - reply.elapsedTime
      const work = auth.signIn(toRequest(request), userId, options, startedAt)
      const { cookies, ...outcome } = await withCookies(request, reply, work)
      await sessions.setCookies(request, reply, cookies)
      sessions.forget(request)
      return outcome
    },
    users: createUserInterface(auth, sessions, { assertOwn, toRequest }),
    csrfToken: async (request, reply) => {
      assertOwn('csrfToken', request)
      assertReply('csrfToken', request, reply)
      const { token, cookies } = await auth.csrfToken(sessions.target(request))
      await sessions.setCookies(request, reply, cookies)
      return token
    },
    sendMail: async (template, options) => {
      const { request, ...others } = options
      if (!request) return auth.sendMail(template, { ...others, request: undefined })
      assertOwn('sendMail', request)
      const reply = sessions.getReply(request)
      await withCookies(request, reply, auth.sendMail(template, { ...others, request: toRequest(request) }))
    }
  }
}
