import { type InvalidOption, production, secret } from './invalid-option.ts'

/** Errors in the URL of the application, and in its secret. */
export const invalidSite: readonly InvalidOption[] = [
  [
    'no secret in production',
    { secret: undefined },
    'secret',
    'SECRET_MISSING',
    /expected a secret, got nothing; set AUTH_SECRET/,
    production
  ],
  [
    'an empty secret in production',
    { secret: '' },
    'secret',
    'SECRET_MISSING',
    /expected a secret, got nothing/,
    production
  ],
  [
    'a short secret in production',
    { secret: 'too short' },
    'secret',
    'SECRET_TOO_SHORT',
    /at least 32 characters, got 9; generate one with openssl rand -hex 32; secret: \[new, old\] keeps existing sessions$/,
    production
  ],
  [
    'a short writing secret before a long one',
    { secret: ['short', secret] },
    'secret',
    'SECRET_TOO_SHORT',
    /at least 32 characters, got 5/,
    production
  ],
  [
    'a short AUTH_SECRET',
    { secret: undefined },
    'secret',
    'SECRET_TOO_SHORT',
    /at least 32 characters, got 5/,
    { ...production, AUTH_SECRET: 'short' }
  ],
  [
    'a secret that is a number',
    { secret: 42 },
    'secret',
    'INVALID_TYPE',
    /expected a string or a list of strings, got a number/
  ],
  [
    'a short data secret in production',
    { dataSecret: 'too short' },
    'dataSecret',
    'SECRET_TOO_SHORT',
    /at least 32 characters, got 9; generate one with openssl rand -hex 32; dataSecret: \[new, old\] keeps stored data readable$/,
    production
  ],
  [
    'a short AUTH_DATA_SECRET',
    {},
    'dataSecret',
    'SECRET_TOO_SHORT',
    /at least 32 characters, got 5/,
    { ...production, AUTH_DATA_SECRET: 'short' }
  ],
  [
    'an empty data secret',
    { dataSecret: '' },
    'dataSecret',
    'SECRET_MISSING',
    /expected a secret, got nothing; omit it/
  ],
  ['no data secret in a list', { dataSecret: [] }, 'dataSecret', 'SECRET_MISSING', /expected a secret, got nothing/],
  [
    'a data secret that is a number',
    { dataSecret: 42 },
    'dataSecret',
    'INVALID_TYPE',
    /expected a string or a list of strings, got a number/
  ],
  [
    'no address in production',
    { url: undefined },
    'url',
    'URL_MISSING',
    /expected the address of the application, got nothing; set AUTH_URL/,
    production
  ],
  [
    'http in production',
    { url: 'http://app.test' },
    'url',
    'HTTPS_REQUIRED',
    /expected an https address in production, got http; write https, or set useSecureCookies: false/,
    production
  ],
  [
    'an address of another scheme',
    { url: 'ftp://app.test' },
    'url',
    'INVALID_URL',
    /expected a URL like https:\/\/app\.example\.com/
  ],
  ['an address that is none', { url: 'https://[' }, 'url', 'INVALID_URL', /expected a URL like/],
  [
    'an address that is not a string',
    { url: new URL('https://app.test') },
    'url',
    'INVALID_TYPE',
    /expected a string, got an object/
  ],
  [
    'a trusted host with a path',
    { url: undefined, trustHost: ['https://app.test/login'] },
    'trustHost',
    'INVALID_URL',
    /expected hosts like app\.example\.com/
  ],
  [
    'a trusted host with http in production',
    { url: undefined, trustHost: ['https://app.test', 'http://www.app.test'] },
    'trustHost',
    'HTTPS_REQUIRED',
    /expected https addresses in production, got http; write https, or set useSecureCookies: false/,
    production
  ],
  [
    'a trusted host with a port that there is not',
    { url: undefined, trustHost: ['https://app.test:99999'] },
    'trustHost',
    'INVALID_URL',
    /expected hosts like app\.example\.com/
  ],
  [
    'a trusted host with another scheme',
    { url: undefined, trustHost: ['ftp://app.test'] },
    'trustHost',
    'INVALID_URL',
    /expected hosts like app\.example\.com/
  ],
  ['no trusted host', { url: undefined, trustHost: [] }, 'trustHost', 'INVALID_URL', /expected hosts like/],
  [
    'a trusted host that is a text',
    { trustHost: 'app.test' },
    'trustHost',
    'INVALID_TYPE',
    /expected true or false or a list of strings, got another string/
  ],
  [
    'a base path with a slash at its end',
    { basePath: '/api/auth/' },
    'basePath',
    'INVALID_VALUE',
    /none at the end.*; write \/api\/auth$/
  ],
  [
    'a base path without a slash',
    { basePath: 'auth' },
    'basePath',
    'INVALID_VALUE',
    /expected a path like.*; write \/auth$/
  ],
  ['a base path that is the root', { basePath: '/' }, 'basePath', 'INVALID_VALUE', /expected a path like \/api\/auth/],
  [
    'a page that no browser opens',
    { pages: { signIn: 'javascript:alert(1)' } },
    'pages.signIn',
    'INVALID_URL',
    /expected a path like \/signin, or an address/
  ],
  [
    'a page with an invalid URL',
    { pages: { error: 'https://[' } },
    'pages.error',
    'INVALID_URL',
    /expected a path like/
  ],
  [
    'an origin with a path',
    { allowedOrigins: ['https://www.app.test/'] },
    'allowedOrigins',
    'INVALID_URL',
    /expected origins like https:\/\/www\.example\.com, .+ got "https:\/\/www\.app\.test\/"; write https:\/\/www\.app\.test$/
  ],
  [
    'a hidden provider that does not exist',
    { hiddenProviders: ['passkey'] },
    'hiddenProviders',
    'INVALID_VALUE',
    /expected ids of providers \(.+\), got passkey/
  ]
]
