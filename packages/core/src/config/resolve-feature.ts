import type { Adapter } from '../adapter/adapter.ts'
import type { Problem } from '../errors/config-error.ts'
import { knownCode, ownCode } from '../errors/error-codes.ts'
import { handleRejection } from '../errors/user-code.ts'
import { confirmLinkId } from '../features/confirm-link.ts'
import type { AnyFeature, FeatureError, FeatureParts, SignInMethod, SignInPagePart } from '../features/feature.ts'
import { createFeatureContext } from '../features/feature-context.ts'
import { cancelId } from '../features/interrupted-sign-ins.ts'
import type { RegisteredFeature } from '../features/registered-feature.ts'
import { type FeatureRegistry, findFeatureRoute, registerRoutes } from '../features/registry.ts'
import { isJsonObject } from '../model/json-object.ts'
import type { Provider } from '../model/provider.ts'
import { plainTraits } from '../model/provider-traits.ts'
import { checkShape, describeType } from '../schema/schema.ts'

/** What a feature adds to the configuration. */
export interface ResolvedFeature {
  readonly providers: readonly Provider[]
  readonly features: readonly RegisteredFeature[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

const idPattern = /^[a-z][a-z0-9-]{0,31}$/
const pathPattern = /^(?:\/(?::[A-Za-z][\w-]*|[\w.~-]+))+$/

/** Whether an entry of `providers` is a feature. */
export function isFeature(given: unknown): given is AnyFeature {
  return isJsonObject(given) && typeof given['setup'] === 'function'
}

function toProvider({
  id,
  name,
  type,
  accountPolicy = 'link',
  admitsMailboxOwner = accountPolicy === 'mailbox',
  callbackMethods = ['POST'],
  form = { type: 'oauth', style: null },
  start,
  maySignUp = null
}: SignInMethod): Provider {
  const traits = {
    ...plainTraits,
    accountPolicy,
    provesMailbox: accountPolicy === 'mailbox',
    admitsMailboxOwner,
    callbackMethods,
    form,
    startsAtCallback: start === undefined,
    maySignUp
  }
  return { kind: 'feature', id, name, type, traits }
}

/** The first parts of the paths of the built-in routes. */
const reserved = new Set([
  'session',
  'csrf',
  'providers',
  'signin',
  'callback',
  'signout',
  'verify-request',
  'verify',
  'error',
  'welcome',
  'backchannel-logout',
  'assets',
  '_log'
])

function pathProblem(path: string): string | null {
  if (!pathPattern.test(path) || /\/\.{1,2}(\/|$)/.test(path)) return `expected a path like /notes/:id, got ${path}`
  const [, first = ''] = path.split('/')
  return reserved.has(first) ? `expected another path than /${first}, which Postern uses itself` : null
}

/** A key that the feature's texts must have, and what it is the text of. */
interface UsedText {
  readonly key: string
  readonly of: string
}

/** @returns The keys of the feature's texts that its parts name. */
function getUsedTexts({ parts, screens }: RegisteredFeature): readonly UsedText[] {
  const { accountSections = [], errors = [], signInMethods = [], signInPage: { links = [] } = {}, mails = [] } = parts
  const eventTypes = Object.entries(parts.eventTypes ?? {})
  return [
    ...screens.map(({ name, title }) => ({ key: title, of: `the title of the screen ${name}` })),
    ...accountSections.map(({ id, title }) => ({ key: title, of: `the title of the account section ${id}` })),
    ...eventTypes.flatMap(([name, { title }]) =>
      title === undefined ? [] : [{ key: title, of: `the title of the event ${name}` }]
    ),
    ...mails.flatMap(({ name, subject, text, button, emptyValues = {} }) =>
      [subject, text, button ?? [], Object.values(emptyValues)]
        .flat()
        .map((key) => ({ key, of: `of the mail ${name}` }))
    ),
    ...links.map(({ title, path }) => ({ key: title, of: `of the link ${path} of the sign-in page` })),
    ...signInMethods.flatMap(({ id, title, submit, labels = {} }) =>
      [title ?? [], submit ?? [], Object.values(labels)]
        .flat()
        .map((key) => ({ key, of: `of the sign-in method ${id}` }))
    ),
    ...errors.flatMap(({ code, text, next }) =>
      [text, ...(next === undefined ? [] : [next])].map((key) => ({ key, of: `the explanation of ${code}` }))
    )
  ]
}

function errorProblem({ code }: FeatureError): string | null {
  if (knownCode(code)) return `expected a code that is not built in, got ${code}`
  return ownCode(code) ? null : `expected up to 64 letters, digits, dots, dashes and underscores, got ${code}`
}

/** @returns Problems of interruptions whose error code the feature does not declare. */
function checkInterruptions({ interruptions = [], errors = [] }: FeatureParts, option: string): Problem[] {
  return interruptions.flatMap(({ id, error }): Problem[] => {
    if (error === undefined || errors.some(({ code }) => code === error)) return []
    const message = `expected a code of errors for the interruption ${id}, got ${error}`
    return [{ option: `${option}.interruptions`, code: 'INVALID_VALUE', message }]
  })
}

/** Attributes that neither run a script nor load a file nor change the form. */
const attributePattern = /^(?:autocomplete|inputmode|data-[a-z][a-z\d-]*)$/

/** @returns Problems of links and requests without a route for everybody, and of attributes that are not allowed. */
function checkSignInPage(
  { links = [], identifierAttributes = {}, connect = [] }: SignInPagePart,
  registry: Pick<FeatureRegistry, 'routes'>,
  option: string
): Problem[] {
  const wrongLinks = links.filter(({ path }) => findFeatureRoute(registry, 'GET', path)?.route.access !== 'anyone')
  const isOpen = (path: string): boolean =>
    registry.routes.some(({ route }) => route.path === path && route.access === 'anyone')
  const wrongAttributes = Object.keys(identifierAttributes).filter((name) => !attributePattern.test(name))
  return [
    ...wrongLinks.map(({ path }) => ({
      option: `${option}.links`,
      message: `expected the path of a GET route of the feature with the access 'anyone', got ${path}`
    })),
    ...connect
      .filter((path) => !isOpen(path))
      .map((path) => ({
        option: `${option}.connect`,
        message: `expected the path of a route of the feature with the access 'anyone', got ${path}`
      })),
    ...wrongAttributes.map((name) => ({
      option: `${option}.identifierAttributes`,
      message: `expected autocomplete, inputmode or data-*, got ${name}`
    }))
  ].map((problem): Problem => ({ ...problem, code: 'INVALID_VALUE' }))
}

/** @returns Problems of the parts: a route that cannot match, a key without text, a section without a page. */
function checkParts(feature: RegisteredFeature, option: string): Problem[] {
  const { parts, texts } = feature
  const { routes = [], accountSections = [], errors = [], signInPage = {} } = parts
  const registry = { routes: registerRoutes([feature]) }
  const withoutPage = accountSections.filter(({ path }) => findFeatureRoute(registry, 'GET', path) === null)
  return [
    ...routes.flatMap(({ path }): Problem[] => {
      const message = pathProblem(path)
      return message === null ? [] : [{ option: `${option}.routes`, code: 'INVALID_VALUE', message }]
    }),
    ...errors.flatMap((error): Problem[] => {
      const message = errorProblem(error)
      const code = knownCode(error.code) ? 'FEATURE_ERROR_DUPLICATE' : 'INVALID_VALUE'
      return message === null ? [] : [{ option: `${option}.errors`, code, message }]
    }),
    ...getUsedTexts(feature)
      .filter(({ key }) => texts.en[key] === undefined)
      .map(
        ({ key, of }): Problem => ({
          option: `${option}.texts.en`,
          code: 'OPTION_MISSING',
          message: `expected the text ${key}, ${of}, got nothing`
        })
      ),
    ...checkInterruptions(parts, option),
    ...checkSignInPage(signInPage, registry, `${option}.signInPage`),
    ...withoutPage.map(
      ({ id, path }): Problem => ({
        option: `${option}.accountSections`,
        code: 'INVALID_VALUE',
        message: `expected the path of a GET route of the feature for the account section ${id}, got ${path}`
      })
    )
  ]
}

/** @returns What to do if a feature was expected: a function of a feature has to be called. */
export function callHint(given: unknown): string {
  if (typeof given !== 'function') return 'call its function, as secondFactor()'
  return given.name === '' ? 'call it' : `call it: ${given.name}()`
}

/** Sets up a feature. @param option - Where the application passed it: `features[0]`. */
export function resolveFeature(given: unknown, option: string): ResolvedFeature {
  const nothing = { providers: [], features: [], warnings: [] }
  if (!isFeature(given)) {
    const message = `expected a feature, got ${describeType(given)}; ${callHint(given)}`
    return { ...nothing, problems: [{ option, code: 'INVALID_VALUE', message }] }
  }
  const { id, options = {}, schema = {} } = given
  if (!idPattern.test(id)) {
    const message = 'expected up to 32 lower-case letters, digits and dashes'
    return { ...nothing, problems: [{ option: `${option}.id`, code: 'INVALID_VALUE', message }] }
  }
  const path = `features.${id}`
  const problems = checkShape(options, schema, path)
  if (problems.length > 0) return { ...nothing, problems }
  const { context, connect } = createFeatureContext(id)
  const parts = given.setup(context)
  if (handleRejection(parts)) {
    const message = 'expected the parts of the feature, got a promise; begin asynchronous work in start'
    return { ...nothing, problems: [{ option: `${path}.setup`, code: 'PROMISE_NOT_AWAITED', message }] }
  }
  const { screens = [], texts = { en: {} }, signInMethods = [], interruptions = [] } = parts
  const needs = [...(given.needs ?? []), ...(interruptions.length > 0 ? ticketMethods : [])]
  const feature: RegisteredFeature = {
    id,
    parts,
    screens,
    texts,
    connect,
    needs,
    endsSessions: given.endsSessions === true,
    needsRecentSignIn: given.needsRecentSignIn === true,
    check: given.check?.bind(given)
  }
  return {
    providers: signInMethods.map(toProvider),
    features: [feature],
    problems: checkParts(feature, path),
    warnings: []
  }
}

/** The methods that store a sign-in until its interruptions have passed. */
const ticketMethods: readonly (keyof Adapter)[] = [
  'createTicket',
  'readTicket',
  'countTry',
  'consumeTicket',
  'deleteTickets'
]

/** The methods that store the claims of a database session. */
const recordMethods: readonly (keyof Adapter)[] = ['putSessionRecord', 'getSessionRecords']

const duplicates = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, at) => names.indexOf(name) !== at))
]

/** @returns Ids, routes and error codes that two features have in common, and adapter methods that features need. */
export function checkFeatures(
  features: readonly RegisteredFeature[],
  adapter: Adapter | null,
  isDatabaseSession: boolean,
  missingForEnds: readonly string[] = []
): Problem[] {
  const interruptions = features.flatMap(({ parts }) => parts.interruptions ?? [])
  const routes = features.flatMap(({ parts }) => parts.routes ?? [])
  return [
    ...[
      ...duplicates(features.map(({ id }) => id)),
      ...duplicates([confirmLinkId, cancelId, ...interruptions.map(({ id }) => id)])
    ].map(
      (id): Problem => ({
        option: `features.${id}`,
        code: 'FEATURE_ID_DUPLICATE',
        message: 'two features, or two interruptions, have this id; register the feature once'
      })
    ),
    ...duplicates(routes.map(({ method, path }) => `${method} ${path}`)).map(
      (route): Problem => ({
        option: 'features',
        code: 'FEATURE_ROUTE_DUPLICATE',
        message: `two features have the route ${route}; register one of them`
      })
    ),
    ...duplicates(features.flatMap(({ parts }) => parts.errors ?? []).map(({ code }) => code)).map(
      (code): Problem => ({
        option: 'features',
        code: 'FEATURE_ERROR_DUPLICATE',
        message: `two features have the error code ${code}; start it with the id of the feature`
      })
    ),
    ...features.flatMap(({ id, needs, parts }): Problem[] => {
      const forClaims = parts.claims && isDatabaseSession ? recordMethods : []
      const missing = [...new Set([...needs, ...forClaims])].filter((name) => typeof adapter?.[name] !== 'function')
      if (missing.length === 0) return []
      const what = adapter ? 'which the adapter does not have' : 'and there is no adapter'
      const message = `expected these methods of an adapter, ${what}: ${missing.join(', ')}; pass an adapter of @postern/adapters, or combine yours with withPosternTables`
      return [{ option: `features.${id}`, code: adapter ? 'METHODS_MISSING' : 'ADAPTER_MISSING', message }]
    }),
    // Without an adapter, the methods that the feature needs are missing too.
    ...(adapter ? checkSessionEnds(features, missingForEnds) : [])
  ]
}

/** @returns What features find wrong with the registration. @param origin - `null` if requests affect it. */
export function checkRegistration(features: readonly RegisteredFeature[], origin: string | null): Problem[] {
  const accountSections = features.flatMap(({ id, parts }) =>
    (parts.accountSections ?? []).map((section) => `${id}/${section.id}`)
  )
  return features.flatMap(({ id, check }) =>
    (check?.({ origin, accountSections }) ?? []).map(
      (message): Problem => ({ option: `features.${id}`, code: 'INVALID_VALUE', message })
    )
  )
}

/** @returns Problems of features that end sessions, which the registration cannot. */
function checkSessionEnds(features: readonly RegisteredFeature[], missing: readonly string[]): Problem[] {
  if (missing.length === 0) return []
  const message = `expected that all sessions of a user can be ended, which requires ${missing.join(', ')}; pass an adapter of @postern/adapters, and do not set session.revocations to false`
  return features
    .filter(({ endsSessions }) => endsSessions)
    .map(({ id }): Problem => ({ option: `features.${id}`, code: 'METHODS_MISSING', message }))
}
