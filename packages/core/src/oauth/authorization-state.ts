import { clearCookie, joinCookies, noCookies, setCookie } from '../cookies/set-cookies.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import type { KeyRing } from '../tokens/keys.ts'
import { type Ending, openList, sealText } from '../tokens/seal.ts'

/** A sign-in that was begun and is not done: what the answer of the provider is held against. */
export interface Attempt {
  /** The `state` parameter. */
  readonly id: string
  readonly provider: string
  readonly issuer: string
  readonly redirectUri: string
  readonly callbackUrl: string
  /** Who was signed in when it began. */
  readonly userId: string | null
  readonly codeVerifier: string | null
  readonly nonce: string | null
}

/** Where attempts are kept: next-auth v4's three cookies, each sealed with a key of its own. */
export interface AttemptRules {
  readonly state: CookieSetting
  readonly pkce: CookieSetting
  readonly nonce: CookieSetting
  readonly keys: { readonly state: KeyRing; readonly pkce: KeyRing; readonly nonce: KeyRing }
  /** Seconds. */
  readonly maxAge: number
  readonly most: number
  readonly now: () => number
}

interface StateEntry extends Ending, Omit<Attempt, 'codeVerifier' | 'nonce'> {}

interface SecretEntry extends Ending {
  readonly id: string
  readonly value: string
}

const texts = ['id', 'provider', 'issuer', 'redirectUri', 'callbackUrl'] as const

function isStateEntry(entry: Ending): entry is StateEntry {
  const fields: Partial<Record<string, unknown>> = { ...entry }
  const { userId } = fields
  return texts.every((name) => typeof fields[name] === 'string') && (userId === null || typeof userId === 'string')
}

function isSecretEntry(entry: Ending): entry is SecretEntry {
  return 'id' in entry && typeof entry.id === 'string' && 'value' in entry && typeof entry.value === 'string'
}

/** Room for a cookie's value: 4096 bytes less its name and attributes. */
const longestCookie = 3800

async function listCookie(
  setting: CookieSetting,
  ring: KeyRing,
  entries: readonly (StateEntry | SecretEntry)[],
  rules: AttemptRules
): Promise<SetCookies> {
  const [newest] = entries
  if (!newest) return clearCookie(setting.name, setting.options)
  const value = await sealText(ring, JSON.stringify(entries))
  // Long targets can fill the cookie before there are five: the oldest gives way.
  if (value.length > longestCookie && entries.length > 1) return listCookie(setting, ring, entries.slice(0, -1), rules)
  const ends = Math.max(...entries.map((entry) => entry.ends))
  return setCookie(setting.name, value, setting.options, new Date(ends * 1000))
}

async function openStates(cookies: RequestCookies, { state, keys, now }: AttemptRules): Promise<readonly StateEntry[]> {
  return openList(keys.state, cookies.get(state.name), isStateEntry, now())
}

async function openSecrets(
  name: 'pkce' | 'nonce',
  cookies: RequestCookies,
  rules: AttemptRules
): Promise<readonly SecretEntry[]> {
  return openList(rules.keys[name], cookies.get(rules[name].name), isSecretEntry, rules.now())
}

/** @returns The cookies that remember this attempt beside those already under way. */
export async function beginAttempt(
  attempt: Attempt,
  cookies: RequestCookies,
  rules: AttemptRules
): Promise<SetCookies> {
  const { codeVerifier, nonce, ...state } = attempt
  const ends = Math.floor(rules.now() / 1000) + rules.maxAge
  const states = [{ ...state, ends }, ...(await openStates(cookies, rules))].slice(0, rules.most)
  const written = [await listCookie(rules.state, rules.keys.state, states, rules)]
  for (const [name, value] of [
    ['pkce', codeVerifier],
    ['nonce', nonce]
  ] as const) {
    if (value === null) continue
    const secrets = [{ id: attempt.id, value, ends }, ...(await openSecrets(name, cookies, rules))].slice(0, rules.most)
    written.push(await listCookie(rules[name], rules.keys[name], secrets, rules))
  }
  return joinCookies(...written)
}

/** An attempt that was found, and the cookies without it: it is spent, whatever comes of it. */
export interface Redeemed {
  readonly attempt: Attempt
  readonly cookies: SetCookies
}

/** @returns The attempt that `state` names, or `null` where this browser has none of that name; nothing is spent then. */
export async function redeemAttempt(
  state: string,
  cookies: RequestCookies,
  rules: AttemptRules
): Promise<Redeemed | null> {
  const states = await openStates(cookies, rules)
  const found = states.find(({ id }) => id === state)
  if (!found) return null
  const spent = [
    await listCookie(
      rules.state,
      rules.keys.state,
      states.filter(({ id }) => id !== state),
      rules
    )
  ]
  const values: { pkce: string | null; nonce: string | null } = { pkce: null, nonce: null }
  for (const name of ['pkce', 'nonce'] as const) {
    const secrets = await openSecrets(name, cookies, rules)
    values[name] = secrets.find(({ id }) => id === state)?.value ?? null
    const isHeld = cookies.has(rules[name].name)
    const others = secrets.filter(({ id }) => id !== state)
    spent.push(isHeld ? await listCookie(rules[name], rules.keys[name], others, rules) : noCookies)
  }
  const { ends: _, ...rest } = found
  return { attempt: { ...rest, codeVerifier: values.pkce, nonce: values.nonce }, cookies: joinCookies(...spent) }
}

/** @returns Whether the request brought any attempt at all. */
export function hasAttempts(cookies: RequestCookies, { state }: AttemptRules): boolean {
  return cookies.has(state.name)
}
