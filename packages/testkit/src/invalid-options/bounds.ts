import { type Mistake, production } from './invalid-option.ts'

/** Mistakes in how much and how long: constants, limits and times. */
export const mistakesOfBounds: readonly Mistake[] = [
  [
    'half a count',
    { constants: { mostAttempts: 2.5 } },
    'constants.mostAttempts',
    /a whole number from 1 to 10, got 2.5$/
  ],
  [
    'a link that anybody can write',
    { constants: { verificationTokenBytes: 0 } },
    'constants.verificationTokenBytes',
    /expected a whole number from 16 to 256, got 0$/
  ],
  [
    'an anti-forgery token that anybody can guess',
    { constants: { csrfTokenBytes: 15 } },
    'constants.csrfTokenBytes',
    /expected a whole number from 16 to 256, got 15$/
  ],
  [
    'cookies without room',
    { constants: { cookieChunkSize: 0 } },
    'constants.cookieChunkSize',
    /expected a whole number from 256 to 4096, got 0$/
  ],
  [
    'cookies that browsers drop',
    { constants: { cookieChunkSize: 100_000 } },
    'constants.cookieChunkSize',
    /expected a whole number from 256 to 4096, got 100000$/
  ],
  [
    'codes that are guessed',
    { constants: { codeLength: 4 } },
    'constants.codeLength',
    /expected a whole number from 6 to 32, got 4$/
  ],
  [
    'links that last longer than a day, all of them',
    { constants: { verificationMaxAge: 86_401 } },
    'constants.verificationMaxAge',
    /expected a whole number from 1 to 86400, got 86401$/
  ],
  [
    'a bound that lets nothing through',
    { constants: { outboundMaxBytes: 0 } },
    'constants.outboundMaxBytes',
    /expected a whole number, 1024 or more, got 0$/
  ],
  [
    'a time without end',
    { constants: { keySetMaxAge: Number.POSITIVE_INFINITY } },
    'constants.keySetMaxAge',
    /expected a whole number from 1 to 100000000000, got Infinity$/
  ],
  [
    'a timer that would be over at once',
    { constants: { outboundTimeoutMilliseconds: 2 ** 31 } },
    'constants.outboundTimeoutMilliseconds',
    /expected a whole number from 1 to 2147483647, got 2147483648$/
  ],
  [
    'a lower bound for secrets than the default',
    { constants: { secretLength: 8 } },
    'constants.secretLength',
    /expected a whole number, 32 or more, got 8$/
  ],
  [
    'a secret below the bound of the application',
    { constants: { secretLength: 100 } },
    'secret',
    /expected at least 100 characters, got 44; make one with openssl rand -hex 50$/,
    production
  ],
  [
    'an age without a date',
    { session: { maxAge: 1e15 } },
    'session.maxAge',
    /expected a number of seconds above 0, got 1000000000000000; write at most 100000000000/
  ],
  [
    'a limit without seconds',
    { rateLimit: { callbackPerClient: { points: 60 } } },
    'rateLimit.callbackPerClient.seconds',
    /expected a whole number from 1 to 100000000000, got nothing; pass seconds too$/
  ],
  [
    'a limit without points',
    { rateLimit: { mailPerClient: { seconds: 60 } } },
    'rateLimit.mailPerClient.points',
    /expected a whole number, 1 or more, got nothing; pass points too$/
  ],
  [
    'a limit that refuses all',
    { rateLimit: { callbackPerClient: { points: 0, seconds: 60 } } },
    'rateLimit.callbackPerClient.points',
    /expected a whole number, 1 or more, got 0$/
  ],
  [
    'a limiter that cannot count',
    { rateLimit: { limiter: {} } },
    'rateLimit.limiter',
    /expected an object with take\(\) and giveBack\(\), got an object; limiterOn of @postern\/fastify makes one/
  ]
]
