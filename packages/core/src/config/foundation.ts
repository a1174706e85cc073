import type { Adapter } from '../adapter/adapter.ts'
import { type Pass, withFailPoints } from '../adapter/fail-points.ts'
import { withSealedTokens } from '../adapter/encrypted-tokens.ts'
import type { Store } from '../adapter/store.ts'
import { toStore } from '../adapter/wrap-adapter.ts'
import { bounded, named } from '../errors/user-code.ts'
import { teller } from '../hooks/events.ts'
import { defaultRedirect, type Hooks } from '../hooks/hooks.ts'
import type { Theme } from '../model/page.ts'
import type { Runtime } from '../model/runtime.ts'
import { keyRing } from '../tokens/keys.ts'
import { Seen } from '../tokens/replay-cache.ts'
import type { Constants, Foundation, Limits, Pages } from './config.ts'
import { rateRules } from './defaults.ts'
import type { Draft } from './normalized-options.ts'
import { keepingOf, storeSettings } from './keeping.ts'
import type { PosternOptions } from './options.ts'

/** The application's callbacks, each with a time to answer in; what `signIn` throws is a word to the visitor. */
function hooksOf(
  { callbacks = {}, session: sessions = {} }: PosternOptions,
  { callbackTimeoutMilliseconds: time }: Constants
): Hooks {
  const { signIn, redirect, jwt, session } = callbacks
  const { remember } = sessions
  return {
    signIn: signIn ? bounded('callbacks.signIn', signIn.bind(callbacks), time) : () => true,
    redirect: redirect ? named('callbacks.redirect', redirect.bind(callbacks), time) : defaultRedirect,
    jwt: jwt ? named('callbacks.jwt', jwt.bind(callbacks), time) : null,
    session: session ? named('callbacks.session', session.bind(callbacks), time) : null,
    remember:
      typeof remember === 'function'
        ? named('session.remember', remember, time)
        : remember === false
          ? () => false
          : null
  }
}

function pagesOf({ pages = {} }: PosternOptions): Pages {
  const { signIn, signOut, error, verifyRequest, newUser } = pages
  const text = (page: string | undefined): string | null => page || null
  return {
    signIn: text(signIn),
    signOut: text(signOut),
    error: text(error),
    verifyRequest: text(verifyRequest),
    newUser: newUser === true ? true : text(newUser)
  }
}

function themeOf({ theme = {} }: PosternOptions): Theme {
  const { colorScheme = 'auto', logo = '', brandColor = '', buttonText = '', name = '', radius = '', font = '' } = theme
  return { colorScheme, logo, brandColor, buttonText, name, radius, font }
}

function limitsOf({ rateLimit }: PosternOptions): Limits | null {
  if (rateLimit === false || !rateLimit?.limiter) return null
  const given = Object.fromEntries(Object.entries(rateLimit).filter(([, rule]) => rule !== undefined))
  return { limiter: rateLimit.limiter, ...rateRules, ...given }
}

/** What admission follows of the options. */
function admissionOf(
  { linking }: PosternOptions,
  providers: Foundation['providers'],
  { now }: Runtime,
  register: Foundation['register']
): Foundation['admission'] {
  return {
    unproven: linking?.unproven ?? 'unlink',
    now,
    endTokens: register && ((userId) => register.endAll(userId)),
    verifiesEmail: (id) => {
      const provider = providers.get(id)
      return provider?.kind === 'oauth' && provider.verifiesEmail
    }
  }
}

function oauthTools(runtime: Runtime, constants: Constants, logger: Foundation['logger']): Foundation['oauth'] {
  const { keySetMaxAge, keySetThrottle, keySetCooldown, staleIfError, mostIssuers, metadataMaxAge, clockTolerance } =
    constants
  return {
    runtime,
    logger,
    keyTimes: {
      maxAge: keySetMaxAge,
      throttle: keySetThrottle,
      cooldown: keySetCooldown,
      staleIfError,
      mostIssuers
    },
    metadataTimes: { maxAge: metadataMaxAge, staleIfError, throttle: keySetThrottle, mostIssuers },
    logouts: new Seen(10_000, runtime.now),
    clockTolerance,
    maxBytes: constants.outboundMaxBytes
  }
}

/** The adapter as the core uses it: bounded in time, its answers checked, tokens of providers sealed where wanted. */
function storeOf(
  adapter: Adapter,
  options: PosternOptions,
  { secrets, constants, logger }: Pick<Foundation, 'secrets' | 'constants' | 'logger'>,
  pass: Pass | null
): Store {
  const store = toStore(adapter, logger, storeSettings({ options, constants }))
  const passing = pass ? withFailPoints(store, pass) : store
  const opening = keyRing(secrets, 'provider tokens')
  return withSealedTokens(passing, { opening, sealing: options.account?.encryptTokens ? opening : null })
}

/** Makes of a draft without mistakes what every origin shares. */
export function foundationOf({
  options,
  constants,
  runtime,
  logger,
  failPoint: { pass },
  basePath,
  secrets: { secrets },
  found,
  adapter,
  isDatabaseSession
}: Draft): Foundation {
  const store = adapter && storeOf(adapter, options, { secrets, constants, logger }, pass)
  const tools = oauthTools(runtime, constants, logger)
  const providers = new Map(found.providers.map((provider) => [provider.id, provider]))
  const keeping = keepingOf(store, { options, constants, runtime, logger, isDatabaseSession })
  const { register } = keeping
  return {
    basePath,
    providers,
    secrets,
    constants,
    runtime,
    logger,
    hooks: hooksOf(options, constants),
    tell: teller(options.events ?? {}, logger, constants.callbackTimeoutMilliseconds),
    pass: pass ?? (() => undefined),
    adapter,
    store,
    isDatabaseSession,
    ...keeping,
    pages: pagesOf(options),
    theme: themeOf(options),
    errors: options.errors ?? 'message',
    revokeAtSignOut: options.account?.revokeAtSignOut ?? false,
    admission: admissionOf(options, providers, runtime, register),
    allowedOrigins: options.allowedOrigins ?? [],
    clientLog: options.clientLog ?? false,
    limits: limitsOf(options),
    oauth: tools,
    keys: {
      emailRequest: keyRing(secrets, 'email request'),
      emailToken: keyRing(secrets, 'email token'),
      code: keyRing(secrets, 'code'),
      signOut: keyRing(secrets, 'sign-out')
    }
  }
}
