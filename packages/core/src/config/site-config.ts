import { type CookieBudget, createCookieBudget } from '../cookies/budget.ts'
import { type CookieTable, cookieTable } from '../cookies/names.ts'
import { CsrfTokens } from '../csrf/csrf-token.ts'
import { PendingSignIns } from '../features/interrupted-sign-ins.ts'
import { isFeaturePage } from '../features/registry.ts'
import { SignInFlash } from '../features/sign-in-flash.ts'
import { StepUps } from '../features/step-up.ts'
import { contentSecurityPolicy, resolvePolicy } from '../http/content-security-policy.ts'
import { plainRenderer } from '../http/plain-renderer.ts'
import type { RenderContext } from '../http/response.ts'
import { showCaptcha } from '../model/captcha.ts'
import { confirmationProviderId } from '../model/confirmation-provider.ts'
import type { SignInOption } from '../model/page.ts'
import type { Provider } from '../model/provider.ts'
import type { SignInForm } from '../model/provider-traits.ts'
import { AuthorizationStates } from '../oauth/authorization-state-per-tab.ts'
import { CallbackUrls } from '../redirects/callback-url.ts'
import { redirectUriAt, signinUrlAt } from '../redirects/redirect-uri.ts'
import type { KeyRing } from '../tokens/keys.ts'
import type { Config, Services } from './config.ts'
import { createPageContext, getSiteUrl } from './page-context.ts'
import { createSiteSessions, type SiteSessionOptions } from './site-sessions.ts'

/** What the configuration of an origin is created from, in addition to the services. */
export interface SiteOptions extends SiteSessionOptions {
  readonly stateKeys: KeyRing
}

type OptionOf<T extends SignInOption['type']> = Extract<SignInOption, { readonly type: T }>

/** @returns The attributes that other features set on the input for the username or address. */
function getIdentifierAttributes(
  providerId: string,
  { signInPage, signInMethods }: Services['features']
): Readonly<Record<string, string>> {
  const own = signInMethods.get(providerId)?.feature.id
  const others = signInPage.identifierAttributes.filter(({ featureId }) => featureId !== own)
  return Object.assign({}, ...others.map(({ attributes }) => attributes))
}

function withAttributes(form: SignInForm, attributes: Readonly<Record<string, string>>): SignInForm {
  if (form.type === 'oauth' || Object.keys(attributes).length === 0) return form
  if (form.type === 'email') return { ...form, attributes }
  const { identifier } = form
  const fields = form.fields.map((field) =>
    field.name === identifier ? { ...field, attributes: { ...field.attributes, ...attributes } } : field
  )
  return { ...form, fields }
}

/** What the page shows of a method beside its form. */
function describeForm(
  provider: Provider
): Pick<OptionOf<'email'>, 'captcha' | 'sends'> | Pick<OptionOf<'credentials'>, 'source'> {
  if (provider.kind === 'email') {
    const captcha = showCaptcha(provider.captcha)
    return { ...(provider.code === 'only' && { sends: 'code' as const }), ...(captcha && { captcha }) }
  }
  return provider.kind === 'feature' && provider.traits.form.type === 'credentials' ? { source: 'feature' } : {}
}

function toSignInOption(provider: Provider, { basePath, features }: Services): SignInOption {
  const { id, name, type, traits } = provider
  const action = traits.startsAtCallback ? redirectUriAt(basePath, id) : signinUrlAt(basePath, id)
  const texts = features.signInMethods.get(id)?.texts ?? null
  const form = withAttributes(traits.form, getIdentifierAttributes(id, features))
  const symbol = type === 'webauthn' ? ({ symbol: 'passkey' } as const) : {}
  const option = { ...form, ...describeForm(provider), ...symbol, id, name, action }
  return texts ? { ...option, submit: texts.en.submit, texts } : option
}

function createSignInPage({ basePath, features }: Services, { identifierFirst }: SiteOptions): Config['signInPage'] {
  const { links, scripts } = features.signInPage
  const first = identifierFirst ? { identifierFirst: { action: `${basePath}/signin`, identifier: null } } : {}
  return { scripts, links: links.map(({ path, ...link }) => ({ ...link, href: basePath + path })), ...first }
}

/** Creates the options of the sign-in page, without the hidden ones. */
function createSignInOptions(services: Services, { hiddenProviders = [] }: SiteOptions): readonly SignInOption[] {
  return [...services.providers.values()]
    .filter(({ id }) => !hiddenProviders.includes(id) && !services.features.signInMethods.get(id)?.method.hidden)
    .filter(({ id }) => id !== confirmationProviderId)
    .map((provider) => toSignInOption(provider, services))
}

function createRenderContext(origin: string, services: Services, options: SiteOptions): RenderContext {
  const { renderer } = options
  const { runtime } = services
  const pageContext = createPageContext(origin, services)
  const { connect } = services.features.signInPage
  const policy = (isScripted: boolean, ...paths: readonly string[]): string =>
    resolvePolicy(contentSecurityPolicy(pageContext, { isScripted, connect: paths }), options.contentSecurityPolicy)
  return {
    renderer: renderer ?? plainRenderer,
    pageContext,
    contentSecurityPolicy: { scripted: policy(true), signIn: policy(true, ...connect), plain: policy(false) },
    headers: options.headers ?? {},
    now: runtime.now
  }
}

function createCallbackUrls(
  origin: string,
  { callbackUrl: cookie }: CookieTable,
  { basePath, pathPrefix, constants, hooks, logger, features }: Services
): CallbackUrls {
  const home = getSiteUrl(origin, pathPrefix)
  const settings = { origin, home, basePath, cookie, maxLength: constants.callbackUrlLength }
  return new CallbackUrls(settings, hooks.redirect, (path) => isFeaturePage(features, path), logger)
}

function createAuthorizationStates(
  { state, pkceCodeVerifier, nonce }: CookieTable,
  budget: CookieBudget,
  { application, constants, runtime }: Services,
  { stateKeys: ring }: SiteOptions
): AuthorizationStates {
  const max = constants.maxAttempts
  const cookies = [state, pkceCodeVerifier, nonce]
  const maxAge = Math.min(...cookies.map(({ options }) => options.maxAge ?? constants.checksMaxAge))
  return new AuthorizationStates(application, { cookies, ring, maxAge, max, budget, now: runtime.now })
}

/** Creates the part of the configuration that depends on the origin; called once per origin. */
export function createSiteConfig(origin: string, services: Services, options: SiteOptions): Config {
  const { basePath, application, constants, runtime, secrets } = services
  const hasSecureCookies = options.useSecureCookies ?? origin.startsWith('https:')
  const cookies = cookieTable(hasSecureCookies, basePath, options.cookies ?? {})
  const cookieBudget = createCookieBudget(cookies, constants.cookieBudget)
  const siteSessions = createSiteSessions({ cookies, cookieBudget, services, options })
  const { sessionReader } = siteSessions
  const cookieSite = { secrets, applicationId: application.id, basePath, hasSecureCookies, now: runtime.now }
  return Object.freeze({
    ...services,
    origin,
    base: origin + basePath,
    cookies,
    cookieBudget,
    csrf: new CsrfTokens(cookies.csrfToken, secrets, runtime.randomBytes, constants.csrfTokenBytes),
    authorizationStates: createAuthorizationStates(cookies, cookieBudget, services, options),
    redirects: createCallbackUrls(origin, cookies, services),
    ...siteSessions,
    signInOptions: createSignInOptions(services, options),
    signInPage: createSignInPage(services, options),
    renderContext: createRenderContext(origin, services, options),
    hasSecureCookies,
    pendingSignIns: new PendingSignIns(cookieSite, runtime.randomBytes),
    signInFlash: new SignInFlash(cookieSite),
    stepUps: new StepUps(cookieSite, sessionReader)
  })
}
