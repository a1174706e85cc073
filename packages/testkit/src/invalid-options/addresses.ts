import { type InvalidOption, production } from './invalid-option.ts'

/** Errors in URLs, paths and cookies. */
export const invalidAddresses: readonly InvalidOption[] = [
  [
    'a base path that goes up',
    { basePath: '/api/../auth' },
    'basePath',
    'INVALID_VALUE',
    /expected a path like \/api\/auth.*; write \/api\/auth$/
  ],
  [
    'a base path with two slashes',
    { basePath: '/api//auth' },
    'basePath',
    'INVALID_VALUE',
    /expected a path like.*; write \/api\/auth$/
  ],
  ['a base path with a query', { basePath: '/auth?a' }, 'basePath', 'INVALID_VALUE', /expected a path like/],
  ['a base path with a fragment', { basePath: '/auth#a' }, 'basePath', 'INVALID_VALUE', /expected a path like/],
  [
    'a sign-in page that sends to itself',
    { pages: { signIn: '/api/auth/signin' } },
    'pages.signIn',
    'PAGE_LOOP',
    /expected a page of the application, got a built-in route, .*; omit it for the built-in page$/
  ],
  [
    'a sign-in page below the base path',
    { pages: { signIn: '/api/auth/signin/credentials?a=b' } },
    'pages.signIn',
    'PAGE_LOOP',
    /got a built-in route/
  ],
  [
    'a sign-in page that is a built-in one, as a URL',
    { pages: { signIn: 'https://app.test/api/auth/signin/' } },
    'pages.signIn',
    'PAGE_LOOP',
    /got a built-in route/
  ],
  [
    'a sign-out page that sends to itself',
    { pages: { signOut: '/api/auth/signout' } },
    'pages.signOut',
    'PAGE_LOOP',
    /got a built-in route/
  ],
  [
    'an error page that sends to itself',
    { basePath: '/auth', pages: { error: '/auth/error' } },
    'pages.error',
    'PAGE_LOOP',
    /got a built-in route/
  ],
  [
    'a page for mails in progress that sends to itself',
    { pages: { verifyRequest: '/api/auth/verify-request' } },
    'pages.verifyRequest',
    'PAGE_LOOP',
    /got a built-in route/
  ],
  [
    'a welcome page that is a built-in one',
    { pages: { newUser: '/api/auth/welcome' } },
    'pages.newUser',
    'PAGE_LOOP',
    /got a built-in route, .*; write true for the built-in page$/
  ],
  [
    'a domain with a scheme',
    { cookies: { sessionToken: { options: { domain: 'https://app.test' } } } },
    'cookies.sessionToken.options.domain',
    'INVALID_VALUE',
    /expected a domain like example\.com, without scheme, port and path/
  ],
  [
    'a domain with a port',
    { cookies: { sessionToken: { options: { domain: 'app.test:3000' } } } },
    'cookies.sessionToken.options.domain',
    'INVALID_VALUE',
    /expected a domain like example\.com, without scheme, port and path/
  ],
  [
    'a domain that is a top-level one',
    { cookies: { sessionToken: { options: { domain: 'test' } } } },
    'cookies.sessionToken.options.domain',
    'COOKIE_REJECTED',
    /expected a domain like example\.com, got a top-level domain; browsers reject/
  ],
  [
    'a domain of another site',
    { cookies: { csrfToken: { options: { domain: '.other.test' } } } },
    'cookies.csrfToken.options.domain',
    'COOKIE_REJECTED',
    /expected the host of url, or a domain above it; .*; omit it/,
    production
  ],
  [
    'a domain below the site',
    { cookies: { csrfToken: { options: { domain: 'www.app.test' } } } },
    'cookies.csrfToken.options.domain',
    'COOKIE_REJECTED',
    /expected the host of url, or a domain above it/,
    production
  ],
  [
    'a domain that only ends like the site',
    { cookies: { csrfToken: { options: { domain: 'pp.test' } } } },
    'cookies.csrfToken.options.domain',
    'COOKIE_REJECTED',
    /expected the host of url, or a domain above it/,
    production
  ],
  [
    'a path without its slash',
    { cookies: { sessionToken: { options: { path: 'app' } } } },
    'cookies.sessionToken.options.path',
    'INVALID_VALUE',
    /expected a path that begins with a slash/
  ],
  [
    'a name that leaves a cookie no room',
    { cookies: { sessionToken: { name: 's'.repeat(200) } } },
    'constants.cookieChunkSize',
    'OUT_OF_RANGE',
    /expected at most 3893 beside the name of the session cookie, got 3933; browsers reject/
  ],
  [
    'a cookie that lasts longer than any date',
    { cookies: { sessionToken: { options: { maxAge: 1e15 } } } },
    'cookies.sessionToken.options.maxAge',
    'OUT_OF_RANGE',
    /expected a number of seconds above 0, got 1000000000000000; write at most 100000000000/
  ]
]
