/** The schema of a route for documentation tools, such as OpenAPI through `@fastify/swagger`. */
export interface RouteSchema {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly hide?: boolean
  readonly consumes?: readonly string[]
  readonly params?: object
  readonly querystring?: object
  readonly body?: object
  readonly response?: Readonly<Record<string, object>>
}

const text = { type: 'string' }
const address = { type: 'string', format: 'uri' }
const maybeText = { type: ['string', 'null'] }
const open = { additionalProperties: true }

const session = {
  type: 'object',
  description:
    'The session of this browser, with what callbacks.session adds; an empty object if no user is signed in.',
  properties: {
    user: { type: 'object', properties: { name: maybeText, email: maybeText, image: maybeText }, ...open },
    expires: { type: 'string', format: 'date-time' }
  },
  ...open
}
const providers = {
  type: 'object',
  description: 'The providers, by id.',
  additionalProperties: {
    type: 'object',
    properties: { id: text, name: text, type: text, signinUrl: address, callbackUrl: address },
    required: ['id', 'name', 'type', 'signinUrl', 'callbackUrl']
  }
}
const csrf = { type: 'object', properties: { csrfToken: text }, required: ['csrfToken'] }
const failure = {
  type: 'object',
  description: 'The error code, and the id that is in the log.',
  properties: { error: text, ref: text }
}
const nothing = { type: 'object', description: 'The CSRF token or the origin is invalid.', maxProperties: 0 }
const elsewhere = {
  description: 'The URL to continue at, for a client that redirects itself: json=true, or X-Auth-Return-Redirect.',
  content: { 'application/json': { schema: { type: 'object', properties: { url: address }, required: ['url'] } } }
}
const redirect = { description: 'The URL to continue at, in Location.', type: 'null' }
const page = { description: 'A page.', content: { 'text/html': { schema: text } } }

const tags = ['auth']
const named = { type: 'object', properties: { provider: text }, required: ['provider'] }
const forms = ['application/x-www-form-urlencoded', 'application/json']
const callbackUrl = { ...text, description: 'The URL to redirect to afterwards, on the origin of the application.' }
const form = (properties: object, required: readonly string[] = ['csrfToken']): object => ({
  type: 'object',
  properties: { csrfToken: text, ...properties },
  required,
  ...open
})
const unavailable = { '503': failure }

/** By method and path, as in the route table. */
const described: Readonly<Record<string, RouteSchema>> = {
  'GET /session': { summary: 'Who is signed in', response: { '200': session, ...unavailable } },
  'POST /session': {
    summary: 'Updates the session, as far as the callbacks allow it',
    consumes: [...forms].reverse(),
    body: form({ data: {} }),
    response: { '200': session, '400': nothing, ...unavailable }
  },
  'GET /csrf': { summary: 'The CSRF token, for every POST', response: { '200': csrf } },
  'GET /providers': { summary: 'The providers', response: { '200': providers } },
  'POST /providers': { summary: 'The providers', response: { '200': providers } },
  'GET /signin': { summary: 'The sign-in page', response: { '200': page } },
  'GET /signin/:provider': { summary: 'The sign-in page', params: named, response: { '200': page } },
  'POST /signin/:provider': {
    summary: 'Starts a sign-in: at the provider, or by sending a mail',
    params: named,
    consumes: forms,
    body: form({ callbackUrl, email: text, json: text }),
    response: { '200': elsewhere, '302': redirect }
  },
  'GET /callback/:provider': {
    summary: 'Completes a sign-in: the response of a provider, or a mailed link',
    params: named,
    response: { '200': page, '302': redirect }
  },
  'POST /callback/:provider': {
    summary: 'Completes a sign-in: credentials, the code of a mail, or form_post',
    params: named,
    consumes: forms,
    body: form({ callbackUrl, json: text }, []),
    response: { '200': elsewhere, '302': redirect, '401': elsewhere, '403': elsewhere, '429': page }
  },
  'GET /signout': { summary: 'The sign-out page', response: { '200': page } },
  'POST /signout': {
    summary: 'Ends the session',
    consumes: forms,
    body: form({ callbackUrl, json: text }),
    response: { '200': elsewhere, '302': redirect }
  },
  'GET /verify-request': { summary: '“Check your email”', response: { '200': page } },
  'GET /error': { summary: 'Explains an error code', response: { '200': page, '403': page, '500': page } },
  'POST /backchannel-logout/:provider': {
    summary: 'Ends the sessions of a user who signed out at the provider',
    params: named,
    consumes: ['application/x-www-form-urlencoded'],
    body: { type: 'object', properties: { logout_token: text }, required: ['logout_token'] },
    response: { '200': { type: 'object' }, '400': failure, ...unavailable }
  }
}

const hidden: RouteSchema = { hide: true }

/** @returns The schema of a route. Assets, the browser log and the not-found route are hidden. */
export function getRouteSchema(method: string, path: string): RouteSchema {
  const schema = described[`${method} ${path}`]
  return schema ? { tags, ...schema } : hidden
}
