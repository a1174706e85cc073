import { describe } from '../errors/serialize-error.ts'
import { LateError, named, textual } from '../errors/user-code.ts'
import type { Logger } from '../model/logger.ts'
import { sessionKeyRing } from '../tokens/keys.ts'
import { type SessionTokenCodec, sessionTokenCodec } from '../tokens/session-jwt.ts'
import type { JwtOptions } from './options.ts'

/** What the application's own `jwt.encode` and `jwt.decode` need around them. */
export interface CodecSurroundings {
  readonly secrets: readonly string[]
  readonly now: () => number
  /** Seconds. */
  readonly tolerance: number
  /** Seconds. */
  readonly maxAge: number
  /** Milliseconds that `encode` and `decode` may take. */
  readonly timeout: number
  readonly logger: Logger
}

/** The built-in codec, or the application's functions in its place, each with next-auth v4's parameters. */
export function resolveCodec(
  jwt: JwtOptions,
  { secrets, now, tolerance, maxAge, timeout, logger }: CodecSurroundings
): SessionTokenCodec {
  const encode = jwt.encode && textual('jwt.encode', jwt.encode.bind(jwt), timeout)
  const decode = jwt.decode && named('jwt.decode', jwt.decode.bind(jwt), timeout)
  const builtIn = sessionTokenCodec(sessionKeyRing(secrets), { now, tolerance })
  const [secret = ''] = secrets
  return {
    encode: encode ? async (token, lifetime) => encode({ token, secret, maxAge: lifetime }) : builtIn.encode,
    decode: decode
      ? async (text) => {
          for (const candidate of secrets) {
            const token = await decode({ token: text, secret: candidate }).catch((error: unknown) => {
              // That it takes too long says nothing of the token: nobody is signed out for it.
              if (error instanceof LateError) throw error
              logger.warn('JWT_SESSION_ERROR', describe(error))
              return null
            })
            // Tokens of another make may say nothing of their end: the session's lifetime counts then.
            if (typeof token === 'object' && token !== null) return { exp: Math.floor(now() / 1000) + maxAge, ...token }
          }
          return null
        }
      : builtIn.decode
  }
}
