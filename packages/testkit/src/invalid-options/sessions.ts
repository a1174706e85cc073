import { type InvalidOption, production } from './invalid-option.ts'

/** Errors in session options: cookies, tokens, adapter. */
export const invalidSessions: readonly InvalidOption[] = [
  [
    'a store of revocations without its methods',
    { session: { revocations: { revoke: () => 1 } } },
    'session.revocations',
    'METHODS_MISSING',
    /expected a store with these methods, which it does not have: getRevocations, listRevocations/
  ],
  [
    'a maximum of sessions that nothing counts',
    { session: { strategy: 'jwt', maxPerUser: 3 } },
    'session.maxPerUser',
    'METHODS_MISSING',
    /methods are missing: putSessionRecord, getSessionRecords, revoke, getRevocations, listRevocations; use an adapter/
  ],
  [
    'a maximum of sessions that are never revoked',
    { session: { strategy: 'jwt', maxPerUser: 3, revocations: false } },
    'session.maxPerUser',
    'METHODS_MISSING',
    /methods are missing: .*revoke/
  ],
  [
    'a maximum of database sessions without their list',
    { adapter: {}, session: { strategy: 'database', maxPerUser: 3 } },
    'session.maxPerUser',
    'METHODS_MISSING',
    /methods are missing: putSessionRecord, getSessionRecords, listSessions; use an adapter/
  ],
  [
    'no session at all for a user',
    { session: { maxPerUser: 0 } },
    'session.maxPerUser',
    'OUT_OF_RANGE',
    /expected a whole number, 1 or more, got 0$/
  ],
  [
    'an idle timeout that ends while a page is read',
    { session: { idleTimeout: 59 } },
    'session.idleTimeout',
    'OUT_OF_RANGE',
    /expected a whole number from 60 to \d+, got 59$/
  ],
  [
    'an idle timeout of rows that next-auth renews',
    { adapter: {}, session: { strategy: 'database', storage: 'plain', idleTimeout: 600 } },
    'session.idleTimeout',
    'INVALID_VALUE',
    /expected session\.storage 'hashed' or 'both'/
  ],
  [
    'an idle timeout of custom tokens',
    {
      session: { strategy: 'jwt', idleTimeout: 600 },
      jwt: { encode: async () => 'a', decode: async () => null }
    },
    'session.idleTimeout',
    'INVALID_VALUE',
    /expected the built-in tokens, which state when they were issued/
  ],
  [
    'an absolute maximum age of custom tokens, which may lose the start of the session',
    { session: { strategy: 'jwt', absoluteMaxAge: 600 }, jwt: { encode: async () => 'a' } },
    'session.absoluteMaxAge',
    'INVALID_VALUE',
    /expected the built-in tokens, which state when the session began; omit jwt\.encode and jwt\.decode/
  ],
  [
    'revocations that are not store',
    { session: { revocations: true } },
    'session.revocations',
    'INVALID_VALUE',
    /expected false or an object/
  ],
  [
    'a misspelled option of sessions',
    { session: { revocation: false } },
    'session.revocation',
    'UNKNOWN_OPTION',
    /did you mean session.revocations/
  ],
  [
    'an empty secret for session tokens',
    { jwt: { secret: '' } },
    'jwt.secret',
    'SECRET_MISSING',
    /expected a secret, got nothing; omit it/
  ],
  [
    'an empty application id',
    { applicationId: ' ' },
    'applicationId',
    'OUT_OF_RANGE',
    /expected 1 to 200 characters, got nothing/
  ],
  [
    'a long application id',
    { applicationId: 'x'.repeat(201) },
    'applicationId',
    'OUT_OF_RANGE',
    /expected 1 to 200 characters, got 201; omit it for the base path/
  ],
  [
    'an application id that is not a string',
    { applicationId: 7 },
    'applicationId',
    'INVALID_TYPE',
    /expected a string, got a number/
  ],
  [
    'acceptUnbound in quotes',
    { acceptUnbound: 'false' },
    'acceptUnbound',
    'INVALID_TYPE',
    /true or false.*without quotes/
  ],
  [
    'no secret for session tokens in a list',
    { jwt: { secret: [] } },
    'jwt.secret',
    'SECRET_MISSING',
    /expected a secret, got nothing/
  ],
  [
    'a short secret for session tokens',
    { jwt: { secret: 'short' } },
    'jwt.secret',
    'SECRET_TOO_SHORT',
    /at least 32 characters, got 5/,
    production
  ],
  [
    'no adapter for database sessions',
    { session: { strategy: 'database' } },
    'adapter',
    'ADAPTER_MISSING',
    /expected an adapter, got nothing: session\.strategy/
  ],
  [
    'an adapter without methods',
    { adapter: {} },
    'adapter',
    'METHODS_MISSING',
    /expected these methods.*getUserByAccount.*deleteSession; add them/
  ],
  [
    'an adapter that was not called',
    { adapter: () => ({}) },
    'adapter',
    'INVALID_TYPE',
    /expected an object, got a function; call it$/
  ],
  [
    'an adapter that was not waited for',
    { adapter: Promise.resolve({}) },
    'adapter',
    'PROMISE_NOT_AWAITED',
    /got a promise; await it$/
  ],
  [
    'a nested option that there is not',
    { session: { maxage: 1 } },
    'session.maxage',
    'UNKNOWN_OPTION',
    /did you mean session\.maxAge\?/
  ],
  [
    'a cookie that there is not',
    { cookies: { session: {} } },
    'cookies.session',
    'UNKNOWN_OPTION',
    /unknown option; there are sessionToken, callbackUrl/
  ],
  [
    'a strategy that there is not',
    { session: { strategy: 'redis' } },
    'session.strategy',
    'INVALID_VALUE',
    /expected "jwt" or "database", got another string/
  ],
  [
    'an age of no time',
    { session: { maxAge: 0 } },
    'session.maxAge',
    'OUT_OF_RANGE',
    /expected a number of seconds above 0, got 0$/
  ],
  [
    'an age that is a text',
    { session: { maxAge: '30d' } },
    'session.maxAge',
    'INVALID_TYPE',
    /expected a number of seconds above 0, got a string/
  ],
  [
    'an age that never ends',
    { jwt: { maxAge: Number.POSITIVE_INFINITY } },
    'jwt.maxAge',
    'OUT_OF_RANGE',
    /expected a number of seconds above 0/
  ],
  [
    'a number that is a text',
    { session: { maxAge: '3600' } },
    'session.maxAge',
    'INVALID_TYPE',
    /got a string; write it without quotes$/
  ],
  ['a group that is a list', { session: [] }, 'session', 'INVALID_TYPE', /expected an object, got a list of 0/],
  [
    '__Host- with a domain',
    { cookies: { csrfToken: { name: '__Host-csrf', options: { secure: true, path: '/', domain: 'app.test' } } } },
    'cookies.csrfToken',
    'COOKIE_REJECTED',
    /the prefix __Host- needs .* no domain/
  ],
  [
    '__Secure- without secure',
    { cookies: { sessionToken: { name: '__Secure-sid', options: { path: '/' } } } },
    'cookies.sessionToken',
    'COOKIE_REJECTED',
    /the prefix __Secure- needs options\.secure: true/
  ],
  [
    'SameSite=None without secure',
    { cookies: { state: { name: 'st', options: { sameSite: 'none' } } } },
    'cookies.state',
    'COOKIE_REJECTED',
    /sameSite: 'none' needs options\.secure: true/
  ],
  [
    'a cookie with a space in its name',
    { cookies: { nonce: { name: 'a b' } } },
    'cookies.nonce',
    'INVALID_VALUE',
    /expected a name without spaces/
  ],
  [
    'two cookies of one name',
    { cookies: { state: { name: 'a' }, nonce: { name: 'a' } } },
    'cookies.nonce',
    'COOKIE_NAME_DUPLICATE',
    /two cookies have this name; give one of them another/
  ],
  [
    'cookies without secure on https',
    { useSecureCookies: 'yes' },
    'useSecureCookies',
    'INVALID_TYPE',
    /expected true or false/
  ]
]
