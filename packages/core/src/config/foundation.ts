import { toStore } from '../adapter/store.ts'
import { teller } from '../hooks/events.ts'
import { defaultRedirect, type Hooks } from '../hooks/hooks.ts'
import type { Theme } from '../model/page.ts'
import type { Runtime } from '../model/runtime.ts'
import { MetadataCache } from '../oauth/metadata.ts'
import { KeySets } from '../tokens/key-set.ts'
import { keyRing } from '../tokens/keys.ts'
import { Seen } from '../tokens/seen.ts'
import type { Constants, Foundation, Limits, Pages } from './config.ts'
import { rateRules } from './defaults.ts'
import type { Draft } from './draft.ts'
import type { PosternOptions } from './options.ts'

function hooksOf({ callbacks = {} }: PosternOptions): Hooks {
  const { signIn, redirect, jwt, session } = callbacks
  return {
    signIn: signIn ?? (() => true),
    redirect: redirect ?? defaultRedirect,
    jwt: jwt ?? null,
    session: session ?? null
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
  const { colorScheme = 'auto', logo = '', brandColor = '', buttonText = '' } = theme
  return { colorScheme, logo, brandColor, buttonText }
}

function limitsOf({ rateLimit }: PosternOptions): Limits | null {
  if (rateLimit === false || !rateLimit?.limiter) return null
  const given = Object.fromEntries(Object.entries(rateLimit).filter(([, rule]) => rule !== undefined))
  return { limiter: rateLimit.limiter, ...rateRules, ...given }
}

function oauthTools(runtime: Runtime, constants: Constants, logger: Foundation['logger']): Foundation['oauth'] {
  const { keySetMaxAge, keySetThrottle, keySetCooldown, staleIfError, mostIssuers, metadataMaxAge, clockTolerance } =
    constants
  const keyTimes = {
    maxAge: keySetMaxAge,
    throttle: keySetThrottle,
    cooldown: keySetCooldown,
    staleIfError,
    mostIssuers
  }
  return {
    runtime,
    logger,
    keySets: new KeySets(keyTimes, runtime.now),
    metadata: new MetadataCache({ maxAge: metadataMaxAge, staleIfError, throttle: keySetThrottle }, runtime.now),
    logouts: new Seen(10_000, runtime.now),
    clockTolerance
  }
}

/** Makes of a draft without mistakes what every origin shares. */
export function foundationOf({
  options,
  constants,
  runtime,
  logger,
  basePath,
  secrets: { secrets },
  found,
  adapter,
  isDatabaseSession
}: Draft): Foundation {
  return {
    basePath,
    providers: new Map(found.providers.map((provider) => [provider.id, provider])),
    secrets,
    constants,
    runtime,
    logger,
    hooks: hooksOf(options),
    tell: teller(options.events ?? {}, logger),
    adapter,
    store: adapter && toStore(adapter, logger, options.debug ?? false),
    isDatabaseSession,
    pages: pagesOf(options),
    theme: themeOf(options),
    errors: options.errors ?? 'message',
    unproven: options.linking?.unproven ?? 'unlink',
    allowedOrigins: options.allowedOrigins ?? [],
    clientLog: options.clientLog ?? false,
    limits: limitsOf(options),
    oauth: oauthTools(runtime, constants, logger),
    keys: {
      emailRequest: keyRing(secrets, 'email request'),
      emailToken: keyRing(secrets, 'email token'),
      code: keyRing(secrets, 'code')
    }
  }
}
