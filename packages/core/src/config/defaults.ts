type Constant =
  | 'sessionMaxAge'
  | 'sessionUpdateAge'
  | 'tokenMaxAge'
  | 'verificationMaxAge'
  | 'verificationTokenBytes'
  | 'csrfTokenBytes'
  | 'checksMaxAge'
  | 'mostAttempts'
  | 'cookieChunkSize'
  | 'clockTolerance'
  | 'keySetMaxAge'
  | 'keySetThrottle'
  | 'keySetCooldown'
  | 'staleIfError'
  | 'mostIssuers'
  | 'metadataMaxAge'
  | 'tokenRenewBefore'
  | 'outboundTimeoutMilliseconds'
  | 'outboundMaxBytes'
  | 'callbackTimeoutMilliseconds'
  | 'mailTimeoutMilliseconds'
  | 'limiterTimeoutMilliseconds'
  | 'codeLength'
  | 'mostCodeTries'
  | 'bodyLimitBytes'
  | 'callbackUrlLength'
  | 'secretLength'
  | 'revocationRefresh'
  | 'revocationStale'
  | 'mostRevocations'
  | 'cleaningInterval'
  | 'cleaningGrace'
  | 'cleaningBatch'

/** Every constant of the product. Seconds, unless the name says otherwise; each is an option. */
export const defaults: Readonly<Record<Constant, number>> & { readonly basePath: string } = {
  basePath: '/api/auth',
  /** How long a session lasts without being used. */
  sessionMaxAge: 30 * 24 * 60 * 60,
  /** A session is written again only when it is this old; 0: at each use. */
  sessionUpdateAge: 24 * 60 * 60,
  /** Lifetime of a session token; never beyond the session's. */
  tokenMaxAge: 30 * 24 * 60 * 60,
  /** Lifetime of the link and the code of a mail; a day at most. */
  verificationMaxAge: 86_400,
  /** Bytes of a verification token; 16 at least. */
  verificationTokenBytes: 32,
  /** Bytes of an anti-forgery token; 16 at least. */
  csrfTokenBytes: 32,
  /** Lifetime of the state, PKCE and nonce cookies. */
  checksMaxAge: 900,
  /** Attempts that one browser can have under way at once; the oldest gives way. 10 at most. */
  mostAttempts: 5,
  /** Characters of one session cookie: 4096 less room for its name and attributes. 256 at least. */
  cookieChunkSize: 3933,
  /** How far clocks may differ; 0: not at all, an hour at most. */
  clockTolerance: 10,
  /** How long a key set answers without being fetched again. */
  keySetMaxAge: 600,
  /** At most one scheduled refetch of a key set in this time. */
  keySetThrottle: 60,
  /** At most one refetch for an unknown `kid` in this time. */
  keySetCooldown: 30,
  /** How long an old key set or metadata document may stand in while its server does not answer; 0: not at all. */
  staleIfError: 3600,
  /** Issuers whose keys and metadata are kept. */
  mostIssuers: 100,
  /** How long a metadata document answers without being fetched again. */
  metadataMaxAge: 3600,
  /** How long before its end a provider's access token is renewed; 0: at its end. */
  tokenRenewBefore: 60,
  /** Milliseconds that an outbound call may take. */
  outboundTimeoutMilliseconds: 5000,
  /** Bytes that an outbound answer may have; 1024 at least. */
  outboundMaxBytes: 1_000_000,
  /** Milliseconds that a callback, an event listener, an adapter's method or a provider's function may take. */
  callbackTimeoutMilliseconds: 10_000,
  /** Milliseconds that a request waits for the mail server. */
  mailTimeoutMilliseconds: 10_000,
  /** Milliseconds that a request waits for the store of the limits. */
  limiterTimeoutMilliseconds: 250,
  /** Letters of the code in a mail; 6 to 32. */
  codeLength: 8,
  /** Wrong codes that delete the row; 100 at most. */
  mostCodeTries: 5,
  /** Bytes of a request body; 4096 at least. */
  bodyLimitBytes: 100_000,
  /** Characters of a callbackUrl that is remembered; 256 to 3800. */
  callbackUrlLength: 2048,
  /** Characters that a writing secret needs in production; 32 at least. */
  secretLength: 32,
  /** How long a process does not look again for revocations of signed tokens; one of its own counts at once. 0: it looks each time. */
  revocationRefresh: 5,
  /** How long signed tokens count while the store of revocations does not answer. */
  revocationStale: 60,
  /** Revocations that are kept in memory; where there are more, each token is looked up. 0: each is. */
  mostRevocations: 100_000,
  /** How long a process does not look again for rows of the store that are over. */
  cleaningInterval: 3600,
  /** How long rows that are over stay in the store; 0: until the next cleaning. */
  cleaningGrace: 86_400,
  /** Rows of each table that are deleted at once. */
  cleaningBatch: 100
}

/** How often is too often. */
export const rateRules = {
  mailPerIdentifier: { points: 5, seconds: 900 },
  mailPerClient: { points: 20, seconds: 3600 },
  credentialsPerIdentifierAndClient: { points: 10, seconds: 900 },
  credentialsPerIdentifier: { points: 100, seconds: 3600 },
  callbackPerClient: { points: 60, seconds: 60 }
} as const
