import { cookieTable } from '../cookies/names.ts'
import { defaultRedirect } from '../hooks/hooks.ts'
import { contentSecurityPolicy, policyOf } from '../http/content-security-policy.ts'
import { plainRenderer } from '../http/plain-renderer.ts'
import type { Presentation } from '../http/response.ts'
import type { Choice } from '../model/page.ts'
import type { Provider } from '../model/provider.ts'
import type { AttemptRules } from '../oauth/authorization-state.ts'
import { redirectUriAt, signinUrlAt } from '../redirects/redirect-uri.ts'
import { Memo } from '../tokens/lru-cache.ts'
import type { Config, Foundation } from './config.ts'
import { type SessionOptions, sessionsAt } from './sessions-at.ts'

/** What the configuration of an origin is made of, beside the foundation. */
export interface SiteOptions extends SessionOptions {
  readonly attemptKeys: AttemptRules['keys']
}

function choiceOf(provider: Provider, basePath: string): Choice {
  const { id, name } = provider
  switch (provider.kind) {
    case 'oauth':
      return { type: 'oauth', id, name, action: signinUrlAt(basePath, id), style: provider.style }
    case 'email':
      return { type: 'email', id, name, action: signinUrlAt(basePath, id) }
    case 'credentials':
      return { type: 'credentials', id, name, action: redirectUriAt(basePath, id), fields: provider.fields }
  }
}

function presentationOf(origin: string, foundation: Foundation, options: SiteOptions): Presentation {
  const { renderer } = options
  const { basePath, runtime, theme } = foundation
  const frame = { basePath, origin, siteName: theme.name || new URL(origin).host, theme }
  const policy = (isScripted: boolean): string =>
    policyOf(contentSecurityPolicy(frame, isScripted), options.contentSecurityPolicy)
  return {
    renderer: renderer ?? plainRenderer,
    frame,
    contentSecurityPolicy: { scripted: policy(true), plain: policy(false) },
    headers: options.headers ?? {},
    now: runtime.now
  }
}

/** Characters of anti-forgery cookies that are kept: some 1 MB, or five thousand browsers. */
const csrfCharacters = 1_000_000

/** Everything that depends on where the application lives; made once for each origin. */
export function configAt(origin: string, foundation: Foundation, options: SiteOptions): Config {
  const { basePath, constants, runtime, logger, hooks, secrets, providers } = foundation
  const secure = options.useSecureCookies ?? origin.startsWith('https:')
  const cookies = cookieTable(secure, basePath, options.cookies ?? {})
  return Object.freeze({
    ...foundation,
    origin,
    base: origin + basePath,
    cookies,
    csrf: {
      cookie: cookies.csrfToken,
      secrets,
      known: new Memo(csrfCharacters),
      size: constants.csrfTokenBytes,
      randomBytes: runtime.randomBytes
    },
    attempts: {
      state: cookies.state,
      pkce: cookies.pkceCodeVerifier,
      nonce: cookies.nonce,
      keys: options.attemptKeys,
      maxAge: cookies.state.options.maxAge ?? constants.checksMaxAge,
      most: constants.mostAttempts,
      now: runtime.now
    },
    redirects: {
      origin,
      basePath,
      redirect: hooks.redirect,
      isOwn: hooks.redirect !== defaultRedirect,
      cookie: cookies.callbackUrl,
      longest: constants.callbackUrlLength,
      logger
    },
    ...sessionsAt({ cookies, foundation, options }),
    choices: [...providers.values()].map((provider) => choiceOf(provider, basePath)),
    presentation: presentationOf(origin, foundation, options)
  })
}
