import { failure, scriptFailure } from './actions/error-response.ts'
import { later } from './actions/load-later.ts'
import type { Row } from './actions/row.ts'
import { type Found, findRow } from './actions/table.ts'
import type { Config } from './config/config.ts'
import { joinCookies, noCookies } from './cookies/set-cookies.ts'
import { isOwnForm } from './csrf/own-form.ts'
import { json, type Outcome, redirect, text } from './http/action-result.ts'
import type { AuthRequest } from './http/request.ts'
import { type Answer, plainAnswer, prepare, toAnswer } from './http/response.ts'
import type { Provider } from './model/provider.ts'
import { csrfOnCallback } from './provider-types/handler.ts'
import { reconsider } from './redirects/callback-url.ts'

function needsCsrf({ method, csrf }: Row, provider: Provider | null): boolean {
  if (method !== 'POST' || csrf === 'none') return false
  return csrf === 'required' || (provider !== null && csrfOnCallback[provider.kind])
}

function csrfRefusal({ action }: Row, { base }: Config): Outcome {
  if (action === 'session') return json({}, new Map(), 400)
  return redirect(`${base}/${action === 'signout' ? 'signout' : 'signin'}?csrf=true`)
}

async function run({ row, provider }: Found, request: AuthRequest, config: Config): Promise<Outcome> {
  if (needsCsrf(row, provider) && !(await isOwnForm(request, config))) return csrfRefusal(row, config)
  const action = typeof row.run === 'string' ? (await later())[row.run] : row.run
  const outcome = await action(request, config, provider)
  // Whoever signs in leaves rows behind: it is a good moment to look for old ones, once this is answered.
  if (row.action === 'callback' || (row.action === 'signin' && row.method === 'POST')) config.cleaning?.begin()
  return outcome
}

/** What a request is answered that came to another host than ours. */
export const wrongHost: Outcome & { readonly kind: 'text' } = text(
  'Error: this host is not one that the application answers for; set url or trustHost',
  400
)

/**
 * Answers one request: finds the row, checks that the form is ours, runs the action.
 *
 * It never rejects: this is the only place where a failure becomes an answer.
 */
export async function handle(request: AuthRequest, config: Config): Promise<Outcome> {
  const { providers, redirects } = config
  const found = findRow(request.method, request.path, providers)
  if (!found)
    return text(`Error: This action with HTTP ${request.method.replaceAll(/[^A-Z]/gi, '')} is not supported`, 400)
  const { row } = found
  try {
    if (row.decides || request.method === 'HEAD') return await run(found, request, config)
    const mended = redirects.isOwn ? await reconsider(request, redirects) : noCookies
    const outcome = await run(found, request, config)
    return mended.size === 0 ? outcome : { ...outcome, cookies: joinCookies(mended, outcome.cookies) }
  } catch (error) {
    return row.answers === 'scripts' ? scriptFailure(error, request, config) : failure(error, request, config)
  }
}

/** Answers a request: the row is found, the form checked, the action run; its outcome becomes status, headers and body. */
export function answering(configFor: (origin: string) => Config | null): (request: AuthRequest) => Promise<Answer> {
  return async (request) => {
    const config = configFor(request.origin)
    if (!config) return plainAnswer(wrongHost)
    const outcome = await handle(request, config)
    const loading = prepare(outcome, request, config.presentation)
    if (loading) await loading
    return toAnswer(outcome, request, config.presentation)
  }
}
