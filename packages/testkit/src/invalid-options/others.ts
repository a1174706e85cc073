import type { Mistake } from './invalid-option.ts'

/** Mistakes in all other options. */
export const mistakesOfOthers: readonly Mistake[] = [
  ['an option that there is not', { sesion: {} }, 'sesion', /there is no such option; did you mean session\?/],
  ['an option in another case', { basepath: '/auth' }, 'basepath', /did you mean basePath\?/],
  ['an option like no other', { wallpaper: true }, 'wallpaper', /^there is no such option$/],
  [
    'a callback that there is not',
    { callbacks: { sign_in: () => true } },
    'callbacks.sign_in',
    /did you mean callbacks\.signIn\?/
  ],
  [
    'a constant that there is not',
    { constants: { clockTollerance: 1 } },
    'constants.clockTollerance',
    /did you mean constants\.clockTolerance\?/
  ],
  ['a callback that is no function', { callbacks: { jwt: 'jwt' } }, 'callbacks.jwt', /expected a function, got text/],
  ['a flag that is a text', { debug: 'false' }, 'debug', /expected true or false, got text; write it without quotes$/],
  [
    'a limit without its time',
    { rateLimit: { mailPerClient: { points: 1, second: 2 } } },
    'rateLimit.mailPerClient.second',
    /did you mean rateLimit\.mailPerClient\.seconds\?/
  ],
  ['limits that are on', { rateLimit: true }, 'rateLimit', /expected false or an object, got a boolean/],
  [
    'an option of Auth.js that there is not',
    { skipCSRFCheck: true },
    'skipCSRFCheck',
    /list further origins in allowedOrigins/
  ],
  [
    'a theme that there is not',
    { theme: { colorScheme: 'night' } },
    'theme.colorScheme',
    /expected "auto" or "dark" or "light"/
  ],
  ['a logger that is a function', { logger: console.log }, 'logger', /expected an object, got a function/]
]
