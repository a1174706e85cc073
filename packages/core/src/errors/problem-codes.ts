/** The codes of configuration problems. `docs/errors.md` lists them with these comments. */
export type ProblemCode =
  /** The option does not exist. */
  | 'UNKNOWN_OPTION'
  /** The option exists in next-auth or elsewhere, but not in Postern. */
  | 'UNSUPPORTED_OPTION'
  /** The value has the wrong type. */
  | 'INVALID_TYPE'
  /** The value has the right type, but is not one of the possible values. */
  | 'INVALID_VALUE'
  /** The number, or the length of the string, is too small or too large. */
  | 'OUT_OF_RANGE'
  /** A required value is missing. */
  | 'OPTION_MISSING'
  /** The option cannot be combined with another option. */
  | 'OPTIONS_CONFLICT'
  /** The value is a promise. */
  | 'PROMISE_NOT_AWAITED'
  /** There is no secret. */
  | 'SECRET_MISSING'
  /** The secret is too short for production. */
  | 'SECRET_TOO_SHORT'
  /** The URL of the application is not configured. */
  | 'URL_MISSING'
  /** The value is not a URL, a host or an origin of the expected form. */
  | 'INVALID_URL'
  /** The URL must use https, or the server cannot tell https from http. */
  | 'HTTPS_REQUIRED'
  /** Any host is trusted, and links in emails would name it. */
  | 'TRUST_HOST_UNSAFE'
  /** An entry of `providers` is not a provider. */
  | 'INVALID_PROVIDER'
  /** Two providers have the same id. */
  | 'PROVIDER_ID_DUPLICATE'
  /** Two features have the same id. */
  | 'FEATURE_ID_DUPLICATE'
  /** Two features have the same route. */
  | 'FEATURE_ROUTE_DUPLICATE'
  /** An error code of a feature is built in, or another feature has it. */
  | 'FEATURE_ERROR_DUPLICATE'
  /** The client id of a provider is missing. */
  | 'CLIENT_ID_MISSING'
  /** The client secret or the client key of a provider is missing. */
  | 'CLIENT_SECRET_MISSING'
  /** The options need an adapter, and there is none. */
  | 'ADAPTER_MISSING'
  /** The adapter, or another object, lacks methods that the options need. */
  | 'METHODS_MISSING'
  /** Two cookies have the same name. */
  | 'COOKIE_NAME_DUPLICATE'
  /** Browsers reject the cookie. */
  | 'COOKIE_REJECTED'
  /** The page would redirect to itself. */
  | 'PAGE_LOOP'
  /** The header is set by Postern or by the server. */
  | 'HEADER_RESERVED'
  /** The plugin is already registered in this scope. */
  | 'ALREADY_REGISTERED'
  /** A guard is called directly, or runs after the handler. */
  | 'GUARD_MISUSED'
  /** Two tables or columns have the same name. */
  | 'TABLE_NAME_DUPLICATE'
  /** A table lacks a field, or has it with another type. */
  | 'TABLE_INCOMPATIBLE'
