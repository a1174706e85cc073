import { sessionKeyRing } from '../tokens/keys.ts'
import { type SessionTokenCodec, sessionTokenCodec } from '../tokens/session-token.ts'
import type { JwtOptions } from './options.ts'

/** What the application's own `jwt.encode` and `jwt.decode` need around them. */
export interface CodecSurroundings {
  readonly secrets: readonly string[]
  readonly now: () => number
  /** Seconds. */
  readonly tolerance: number
  /** Seconds. */
  readonly maxAge: number
}

/** The built-in codec, or the application's functions in its place, each with next-auth v4's parameters. */
export function resolveCodec(
  { encode, decode }: JwtOptions,
  { secrets, now, tolerance, maxAge }: CodecSurroundings
): SessionTokenCodec {
  const builtIn = sessionTokenCodec(sessionKeyRing(secrets), { now, tolerance })
  const [secret = ''] = secrets
  return {
    encode: encode ? async (token, lifetime) => encode({ token, secret, maxAge: lifetime }) : builtIn.encode,
    decode: decode
      ? async (text) => {
          for (const candidate of secrets) {
            const token = await Promise.resolve(decode({ token: text, secret: candidate })).catch(() => null)
            // Tokens of another make may say nothing of their end: the session's lifetime counts then.
            if (typeof token === 'object' && token !== null) return { exp: Math.floor(now() / 1000) + maxAge, ...token }
          }
          return null
        }
      : builtIn.decode
  }
}
