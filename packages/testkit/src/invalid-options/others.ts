import type { InvalidOption } from './invalid-option.ts'

/** Errors in all other options. */
export const invalidOthers: readonly InvalidOption[] = [
  ['an option that there is not', { sesion: {} }, 'sesion', 'UNKNOWN_OPTION', /unknown option; did you mean session\?/],
  ['an option in another case', { basepath: '/auth' }, 'basepath', 'UNKNOWN_OPTION', /did you mean basePath\?/],
  ['an option like no other', { wallpaper: true }, 'wallpaper', 'UNKNOWN_OPTION', /^unknown option$/],
  [
    'a callback that there is not',
    { callbacks: { sign_in: () => true } },
    'callbacks.sign_in',
    'UNKNOWN_OPTION',
    /did you mean callbacks\.signIn\?/
  ],
  [
    'a constant that there is not',
    { constants: { clockTollerance: 1 } },
    'constants.clockTollerance',
    'UNKNOWN_OPTION',
    /did you mean constants\.clockTolerance\?/
  ],
  [
    'a callback that is not a function',
    { callbacks: { jwt: 'jwt' } },
    'callbacks.jwt',
    'INVALID_TYPE',
    /expected a function, got a string/
  ],
  [
    'a language that is no callback',
    { callbacks: { language: 'de' } },
    'callbacks.language',
    'INVALID_TYPE',
    /expected a function, got a string/
  ],
  [
    'a flag that is a text',
    { debug: 'false' },
    'debug',
    'INVALID_TYPE',
    /expected true or false, got a string; write it without quotes$/
  ],
  [
    'a limit without its time',
    { rateLimit: { mailPerClient: { points: 1, second: 2 } } },
    'rateLimit.mailPerClient.second',
    'UNKNOWN_OPTION',
    /did you mean rateLimit\.mailPerClient\.seconds\?/
  ],
  [
    'limits that are on',
    { rateLimit: true },
    'rateLimit',
    'INVALID_VALUE',
    /expected false or an object, got a boolean/
  ],
  [
    'an option of Auth.js that there is not',
    { skipCSRFCheck: true },
    'skipCSRFCheck',
    'UNSUPPORTED_OPTION',
    /list additional origins in allowedOrigins/
  ],
  [
    'a theme that there is not',
    { theme: { colorScheme: 'night' } },
    'theme.colorScheme',
    'INVALID_VALUE',
    /expected "auto" or "dark" or "light"/
  ],
  [
    'a logger that is a function',
    { logger: console.log },
    'logger',
    'INVALID_TYPE',
    /expected an object, got a function/
  ]
]
