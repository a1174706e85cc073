const constants = {
  basePath: '/api/auth',
  /** The lifetime of a session since its last use: 30 days. */
  sessionMaxAge: 2_592_000,
  /** The minimum age at which a session is written again; 0: at each use. */
  sessionUpdateAge: 86_400,
  /** The lifetime of the link and the code in a mail; at most a day. */
  verificationMaxAge: 86_400,
  /** The size of a verification token in bytes; at least 16. */
  verificationTokenBytes: 32,
  /** The size of a CSRF token in bytes; at least 16. */
  csrfTokenBytes: 32,
  /** The lifetime of the state, PKCE and nonce cookies, which work only together. */
  checksMaxAge: 900,
  /** The maximum number of pending sign-ins of one browser; the oldest one is discarded. At most 10. */
  maxAttempts: 5,
  /** The size of one session cookie in characters: 4096 minus space for its name and attributes. At least 256. */
  cookieChunkSize: 3933,
  /** The size of all cookies that Postern sets in a browser, in characters: all but 2000 are for the session. At least 6000. */
  cookieBudget: 12_000,
  /** The tolerated clock difference; 0: none, at most an hour. */
  clockTolerance: 10,
  /** The time for which a key set is cached. */
  keySetMaxAge: 600,
  /** The minimum time between two scheduled fetches of a key set. */
  keySetThrottle: 60,
  /** The minimum time between two fetches for an unknown `kid`. */
  keySetCooldown: 30,
  /** The time for which an expired key set or metadata document is used while its server does not respond; 0: never. */
  staleIfError: 3600,
  /** The time for which a failed fetch of a metadata document or key set is cached; 0: never, at most a minute. */
  providerRetryAfter: 5,
  /** The maximum number of issuers whose keys and metadata are cached. */
  maxIssuers: 100,
  /** The time for which a metadata document is cached. */
  metadataMaxAge: 3600,
  /** The time before its expiry at which a provider's access token is renewed; 0: at its expiry. */
  tokenRenewBefore: 60,
  /** The timeout of outbound requests. */
  outboundTimeoutMilliseconds: 5000,
  /** The maximum size of an outbound response in bytes; at least 1024. */
  outboundMaxBytes: 1_000_000,
  /** The timeout of callbacks, event listeners, adapter methods and provider functions. */
  callbackTimeoutMilliseconds: 10_000,
  /** The time that a request waits for the mail server. */
  mailTimeoutMilliseconds: 10_000,
  /** The time that a request waits for the store of the rate limits. */
  limiterTimeoutMilliseconds: 250,
  /** The length of the code in a mail; 6 to 32. */
  codeLength: 8,
  /** The number of wrong codes that deletes the row; at most 100. */
  maxCodeTries: 5,
  /** The maximum size of a request body in bytes; at least 4096. */
  bodyLimitBytes: 100_000,
  /** The maximum length of a stored `callbackUrl`; 256 to 3800. */
  callbackUrlLength: 2048,
  /** The minimum length of the encrypting secret in production; at least 32. */
  secretLength: 32,
  /**
   * The interval at which a process reads revocations of JWT sessions; its own take effect immediately. 0: each request
   * reads them.
   */
  revocationRefresh: 1,
  /** The time for which JWT sessions are accepted while the store of revocations does not respond. */
  revocationStale: 60,
  /** The maximum number of cached revocations; beyond it, each token is looked up. 0: each token is looked up. */
  maxRevocations: 100_000,
  /** The interval at which a process deletes expired rows. */
  cleaningInterval: 3600,
  /** The time for which expired rows stay in the store; 0: until the next cleanup. */
  cleaningGrace: 86_400,
  /** The number of rows per table that are deleted at once. */
  cleaningBatch: 100,
  /** The time for which security events of features stay in the store: 400 days. */
  eventMaxAge: 34_560_000,
  /** The time since sign-in in which an account can be linked to the signed-in user. */
  linkFreshWithin: 600,
  /** The time for which a device that signed in has rate limits of its own: 180 days; at most 400 days. */
  deviceMaxAge: 15_552_000
}

/** All constants. Each is an option, in seconds unless its name contains another unit. */
export const defaults: Readonly<typeof constants> = constants

/** The default rate limits. */
export const rateRules = {
  mailPerIdentifier: { points: 5, seconds: 900 },
  mailPerClient: { points: 20, seconds: 3600 },
  credentialsPerIdentifierAndClient: { points: 10, seconds: 900 },
  credentialsPerIdentifier: { points: 100, seconds: 3600 },
  credentialsPerClient: { points: 100, seconds: 3600 },
  callbackPerClient: { points: 60, seconds: 60 }
} as const
