import { type InvalidOption, production } from './invalid-option.ts'

/** Errors in constants, limits and times. */
export const invalidBounds: readonly InvalidOption[] = [
  [
    'half a count',
    { constants: { maxAttempts: 2.5 } },
    'constants.maxAttempts',
    'OUT_OF_RANGE',
    /a whole number from 1 to 10, got 2.5$/
  ],
  [
    'a link that can be guessed',
    { constants: { verificationTokenBytes: 0 } },
    'constants.verificationTokenBytes',
    'OUT_OF_RANGE',
    /expected a whole number from 16 to 256, got 0$/
  ],
  [
    'a CSRF token that can be guessed',
    { constants: { csrfTokenBytes: 15 } },
    'constants.csrfTokenBytes',
    'OUT_OF_RANGE',
    /expected a whole number from 16 to 256, got 15$/
  ],
  [
    'cookies without room',
    { constants: { cookieChunkSize: 0 } },
    'constants.cookieChunkSize',
    'OUT_OF_RANGE',
    /expected a whole number from 256 to 4096, got 0$/
  ],
  [
    'cookies that browsers drop',
    { constants: { cookieChunkSize: 100_000 } },
    'constants.cookieChunkSize',
    'OUT_OF_RANGE',
    /expected a whole number from 256 to 4096, got 100000$/
  ],
  [
    'codes that are guessed',
    { constants: { codeLength: 4 } },
    'constants.codeLength',
    'OUT_OF_RANGE',
    /expected a whole number from 6 to 32, got 4$/
  ],
  [
    'links that last longer than a day, all of them',
    { constants: { verificationMaxAge: 86_401 } },
    'constants.verificationMaxAge',
    'OUT_OF_RANGE',
    /expected a whole number from 1 to 86400, got 86401$/
  ],
  [
    'a limit of zero',
    { constants: { outboundMaxBytes: 0 } },
    'constants.outboundMaxBytes',
    'OUT_OF_RANGE',
    /expected a whole number, 1024 or more, got 0$/
  ],
  [
    'a time without end',
    { constants: { keySetMaxAge: Number.POSITIVE_INFINITY } },
    'constants.keySetMaxAge',
    'OUT_OF_RANGE',
    /expected a whole number from 1 to 100000000000, got Infinity$/
  ],
  [
    'a timer that would be over at once',
    { constants: { outboundTimeoutMilliseconds: 2 ** 31 } },
    'constants.outboundTimeoutMilliseconds',
    'OUT_OF_RANGE',
    /expected a whole number from 1 to 2147483647, got 2147483648$/
  ],
  [
    'a lower bound for secrets than the default',
    { constants: { secretLength: 8 } },
    'constants.secretLength',
    'OUT_OF_RANGE',
    /expected a whole number, 32 or more, got 8$/
  ],
  [
    'a secret below the bound of the application',
    { constants: { secretLength: 100 } },
    'secret',
    'SECRET_TOO_SHORT',
    /expected at least 100 characters, got 44; generate one with openssl rand -hex 50; secret: \[new, old\] keeps/,
    production
  ],
  [
    'an age without a date',
    { session: { maxAge: 1e15 } },
    'session.maxAge',
    'OUT_OF_RANGE',
    /expected a number of seconds above 0, got 1000000000000000; write at most 100000000000/
  ],
  [
    'a limit without seconds',
    { rateLimit: { callbackPerClient: { points: 60 } } },
    'rateLimit.callbackPerClient.seconds',
    'OPTION_MISSING',
    /expected a whole number from 1 to 100000000000, got nothing; pass seconds too$/
  ],
  [
    'a limit without points',
    { rateLimit: { mailPerClient: { seconds: 60 } } },
    'rateLimit.mailPerClient.points',
    'OPTION_MISSING',
    /expected a whole number, 1 or more, got nothing; pass points too$/
  ],
  [
    'a limit that refuses all',
    { rateLimit: { callbackPerClient: { points: 0, seconds: 60 } } },
    'rateLimit.callbackPerClient.points',
    'OUT_OF_RANGE',
    /expected a whole number, 1 or more, got 0$/
  ],
  [
    'a limiter that cannot count',
    { rateLimit: { limiter: {} } },
    'rateLimit.limiter',
    'METHODS_MISSING',
    /expected an object with consume\(\) and refund\(\), got an object; limiterOn of @postern\/fastify makes one/
  ]
]
