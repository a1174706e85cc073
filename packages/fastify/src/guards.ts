import type { Postern, Reading } from '@postern/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkGuardOptions, checkHookCall } from './guard-options.ts'
import type { RequestLogs } from './logger.ts'
import { refuse, send } from './reply.ts'
import { originOf, toPageRequest } from './request.ts'
import type { SessionReader } from './session.ts'
import type { Guard, GuardOptions, RequireSession } from './types.ts'

interface GuardTools {
  readonly auth: Postern
  readonly sessions: SessionReader
  readonly logs: RequestLogs
  readonly now: () => number
}

function acceptsHtml({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** Only what can be asked for again is a place to come back to. */
function isRepeatable({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Sends a browser to the sign-in page and back; tells anything else that it has to sign in. */
function askToSignIn(auth: Postern, request: FastifyRequest, reply: FastifyReply, message: string): FastifyReply {
  const config = auth.configFor(originOf(request))
  if (!config || !acceptsHtml(request)) return refuse(reply, 401, 'SESSION_REQUIRED', message)
  const target = isRepeatable(request) ? { callbackUrl: config.origin + request.url } : {}
  const parameters = new URLSearchParams({ ...target, error: 'SessionRequired' })
  return reply.header('cache-control', 'private, no-store').redirect(`${config.base}/signin?${parameters}`, 302)
}

async function deny({ auth, logs }: GuardTools, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!acceptsHtml(request)) return refuse(reply, 403, 'ACCESS_DENIED', 'You do not have permission for this')
  const asked = toPageRequest(request, '/error', { error: 'AccessDenied' })
  logs.set(asked.id, request.log)
  try {
    return send(reply, await auth.answer(asked))
  } finally {
    logs.delete(asked.id)
  }
}

function isFresh({ signedIn }: Reading, freshWithin: number | undefined, now: number): boolean {
  if (freshWithin === undefined) return true
  return signedIn?.since ? now - signedIn.since.getTime() <= freshWithin * 1000 : false
}

/** Makes the guards of an application. */
export function createGuards(tools: GuardTools): RequireSession {
  const { auth, sessions, now } = tools
  const guard = ({ authorized, freshWithin }: GuardOptions): Guard => {
    async function check(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
      const reading = await sessions.read(request)
      const { session } = reading
      if (!session) return askToSignIn(auth, request, reply, 'Sign in to go on')
      if (!isFresh(reading, freshWithin, now())) return askToSignIn(auth, request, reply, 'Sign in again to go on')
      if (authorized && (await authorized({ session, request })) !== true) return deny(tools, request, reply)
      return undefined
    }
    // Not asynchronous itself: a guard that is called at registration must stop it, and not reject for nobody.
    return function requireSession(request, reply) {
      checkHookCall(request, reply)
      return check(request, reply)
    }
  }
  return Object.assign(guard({}), {
    with: (options: GuardOptions) => {
      checkGuardOptions(options)
      return guard(options)
    }
  })
}
