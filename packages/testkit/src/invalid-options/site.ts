import { type Mistake, production, secret } from './invalid-option.ts'

/** Mistakes in where the application lives, and in its secret. */
export const mistakesOfSite: readonly Mistake[] = [
  [
    'no secret in production',
    { secret: undefined },
    'secret',
    /expected a secret, got nothing; set AUTH_SECRET/,
    production
  ],
  ['an empty secret in production', { secret: '' }, 'secret', /expected a secret, got nothing/, production],
  [
    'a short secret in production',
    { secret: 'too short' },
    'secret',
    /at least 32 characters, got 9; make one with openssl/,
    production
  ],
  [
    'a short writing secret before a long one',
    { secret: ['short', secret] },
    'secret',
    /at least 32 characters, got 5/,
    production
  ],
  [
    'a short AUTH_SECRET',
    { secret: undefined },
    'secret',
    /at least 32 characters, got 5/,
    { ...production, AUTH_SECRET: 'short' }
  ],
  ['a secret that is a number', { secret: 42 }, 'secret', /expected text or a list of texts, got a number/],
  [
    'no address in production',
    { url: undefined },
    'url',
    /expected the address of the application, got nothing; set AUTH_URL/,
    production
  ],
  [
    'http in production',
    { url: 'http://app.test' },
    'url',
    /expected an https address in production, got http; write https, or set useSecureCookies: false/,
    production
  ],
  [
    'an address of another scheme',
    { url: 'ftp://app.test' },
    'url',
    /expected an address like https:\/\/app\.example\.com/
  ],
  ['an address that is none', { url: 'https://[' }, 'url', /expected an address like/],
  ['an address that is no text', { url: new URL('https://app.test') }, 'url', /expected text, got an object/],
  [
    'a trusted host with a scheme',
    { url: undefined, trustHost: ['https://app.test'] },
    'trustHost',
    /expected hosts like app\.example\.com/
  ],
  ['no trusted host', { url: undefined, trustHost: [] }, 'trustHost', /expected hosts like/],
  [
    'a trusted host that is a text',
    { trustHost: 'app.test' },
    'trustHost',
    /expected true or false or a list of texts, got another text/
  ],
  [
    'a base path with a slash at its end',
    { basePath: '/api/auth/' },
    'basePath',
    /none at the end.*; write \/api\/auth$/
  ],
  ['a base path without a slash', { basePath: 'auth' }, 'basePath', /expected a path like.*; write \/auth$/],
  ['a base path that is the root', { basePath: '/' }, 'basePath', /expected a path like \/api\/auth/],
  [
    'a page that no browser opens',
    { pages: { signIn: 'javascript:alert(1)' } },
    'pages.signIn',
    /expected a path like \/signin, or an address/
  ],
  ['a page whose address is none', { pages: { error: 'https://[' } }, 'pages.error', /expected a path like/],
  [
    'an origin with a path',
    { allowedOrigins: ['https://www.app.test/'] },
    'allowedOrigins',
    /expected origins like https:\/\/www\.example\.com/
  ]
]
