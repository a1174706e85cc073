import { serializeError } from '../errors/serialize-error.ts'
import { stringCallback, TimeoutError, wrapCallback } from '../errors/user-code.ts'
import { isObject } from '../model/json-object.ts'
import type { Logger } from '../model/logger.ts'
import { sessionKeyRing } from '../tokens/keys.ts'
import { type SessionTokenCodec, sessionTokenCodec } from '../tokens/session-jwt.ts'
import type { JwtOptions } from './options.ts'

/** What the codec, and the application's `jwt.encode` and `jwt.decode`, work with. */
export interface JwtCodecSettings {
  readonly secrets: readonly string[]
  /** What `encode` and `decode` receive as `salt`. */
  readonly salt: string
  readonly now: () => number
  /** Seconds. */
  readonly tolerance: number
  /** Seconds. */
  readonly maxAge: number
  /** The timeout of `encode` and `decode` in milliseconds. */
  readonly timeout: number
  readonly logger: Logger
}

/** Returns the built-in codec, or the application's functions, which receive next-auth v4's arguments. */
export function resolveJwtCodec(
  jwt: JwtOptions,
  { secrets, salt, now, tolerance, maxAge, timeout, logger }: JwtCodecSettings
): SessionTokenCodec {
  const encode = jwt.encode && stringCallback('jwt.encode', jwt.encode.bind(jwt), timeout)
  const decode = jwt.decode && wrapCallback('jwt.decode', jwt.decode.bind(jwt), timeout)
  const builtIn = sessionTokenCodec(sessionKeyRing(secrets), { now, tolerance })
  const [secret = ''] = secrets
  return {
    encode: encode ? async (token, lifetime) => encode({ token, secret, salt, maxAge: lifetime }) : builtIn.encode,
    decode: decode
      ? async (text) => {
          for (const candidate of secrets) {
            const token = await decode({ token: text, secret: candidate, salt }).catch((error: unknown) => {
              // A timeout does not make the token invalid: the user must not be signed out.
              if (error instanceof TimeoutError) throw error
              logger.warn('JWT_SESSION_ERROR', serializeError(error))
              return null
            })
            // Third-party tokens may lack `exp`; the session's maximum age applies.
            if (isObject(token)) return { exp: Math.floor(now() / 1000) + maxAge, ...token }
          }
          return null
        }
      : builtIn.decode
  }
}
