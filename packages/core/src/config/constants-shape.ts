import type { defaults } from './defaults.ts'
import { type Kind, longestTime, longestTimer } from './kinds.ts'

/** Seconds that end. */
const time: Kind = { least: 1, most: longestTime }
/** Seconds that may be none. */
const timeOrNone: Kind = { least: 0, most: longestTime }
const timer: Kind = { least: 1, most: longestTimer }
/** From what nobody guesses to what a link and a cookie have room for. */
const randomBytes: Kind = { least: 16, most: 256 }

/** What each constant may be: where 0 is allowed, it means something. */
export const constantsShape: { readonly [K in keyof typeof defaults]: Kind } = {
  basePath: 'text',
  sessionMaxAge: time,
  sessionUpdateAge: timeOrNone,
  tokenMaxAge: time,
  verificationMaxAge: { least: 1, most: 86_400 },
  verificationTokenBytes: randomBytes,
  csrfTokenBytes: randomBytes,
  checksMaxAge: time,
  // Ten fill their cookie.
  mostAttempts: { least: 1, most: 10 },
  // Less is more cookies than a session may have; more is dropped by browsers.
  cookieChunkSize: { least: 256, most: 4096 },
  clockTolerance: { least: 0, most: 3600 },
  keySetMaxAge: time,
  keySetThrottle: time,
  keySetCooldown: time,
  staleIfError: timeOrNone,
  mostIssuers: { least: 1 },
  metadataMaxAge: time,
  tokenRenewBefore: timeOrNone,
  outboundTimeoutMilliseconds: timer,
  outboundMaxBytes: { least: 1024 },
  callbackTimeoutMilliseconds: timer,
  mailTimeoutMilliseconds: timer,
  limiterTimeoutMilliseconds: timer,
  // Of twenty letters: six are 64 million codes. What is typed is read to 64 characters, spaces included.
  codeLength: { least: 6, most: 32 },
  mostCodeTries: { least: 1, most: 100 },
  // Providers that post their answer send up to some thousand bytes.
  bodyLimitBytes: { least: 4096 },
  callbackUrlLength: { least: 256, most: 3800 },
  secretLength: { least: 32 },
  revocationRefresh: timeOrNone,
  revocationStale: time,
  mostRevocations: { least: 0 },
  cleaningInterval: time,
  cleaningGrace: timeOrNone,
  cleaningBatch: { least: 1 }
}
