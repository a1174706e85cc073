import type { Problem } from '../errors/config-error.ts'
import type { PosternOptions } from './options.ts'

/** The secrets, the encrypting one first, and their problems. */
export interface Secrets {
  readonly secrets: readonly string[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

/** next-auth v4 uses `jwt.secret` for everything if there is no other secret. */
function given(
  { secret, jwt }: PosternOptions,
  environment: Readonly<Record<string, string | undefined>>
): readonly string[] {
  const listed = (one: typeof secret = []): readonly string[] => (typeof one === 'string' ? [one] : one).filter(Boolean)
  const own = [listed(secret), listed(jwt?.secret)].find((secrets) => secrets.length > 0)
  const named = own ?? [environment['NEXTAUTH_SECRET'] ?? '', environment['AUTH_SECRET'] ?? '']
  return [...new Set(named.filter((text) => typeof text === 'string' && text !== ''))]
}

/** The requirements on secrets. */
interface SecretRequirements {
  readonly isProduction: boolean
  /** The minimum length of the encrypting secret in production, in characters. */
  readonly minLength: number
}

/**
 * Resolves and checks the secrets. Production requires a long one; development generates one at each start if there is
 * none.
 */
export function resolveSecrets(
  options: PosternOptions,
  environment: Readonly<Record<string, string | undefined>>,
  { isProduction, minLength }: SecretRequirements,
  random: () => string
): Secrets {
  const secrets = given(options, environment)
  const [writing, ...reading] = secrets
  if (writing === undefined) {
    if (!isProduction) {
      const warnings = [
        'no secret is set: sessions end when the server restarts; set AUTH_SECRET (openssl rand -hex 32)'
      ]
      return { secrets: [random()], problems: [], warnings }
    }
    const message = 'expected a secret, got nothing; set AUTH_SECRET (openssl rand -hex 32)'
    return { secrets: [random()], problems: [{ option: 'secret', code: 'SECRET_MISSING', message }], warnings: [] }
  }
  const problems = isProduction ? checkLength('secret', writing, minLength) : []
  const warnings = reading.some(({ length }) => length < minLength)
    ? [`a secret that only decrypts is shorter than ${minLength} characters; remove it when it is no longer needed`]
    : []
  return { secrets, problems, warnings }
}

function checkLength(option: string, { length }: string, minLength: number): readonly Problem[] {
  const expected = `expected at least ${minLength} characters, got ${length}`
  const kept = option === 'dataSecret' ? 'stored data readable' : 'existing sessions'
  const hint = `generate one with openssl rand -hex ${Math.max(32, Math.ceil(minLength / 2))}; ${option}: [new, old] keeps ${kept}`
  return length < minLength ? [{ option, code: 'SECRET_TOO_SHORT', message: `${expected}; ${hint}` }] : []
}

/**
 * Resolves and checks the secrets of stored data.
 *
 * @returns `secrets` is empty if the option is not set: stored data is then encrypted with keys of `secret`.
 */
export function resolveDataSecrets(
  { dataSecret }: PosternOptions,
  environment: Readonly<Record<string, string | undefined>>,
  { isProduction, minLength }: SecretRequirements
): Secrets {
  const given = dataSecret ?? environment['AUTH_DATA_SECRET'] ?? null
  const none = { secrets: [], problems: [], warnings: [] }
  if (given === null || (dataSecret === undefined && given === '')) return none
  const secrets = [...new Set([given].flat().filter((text) => typeof text === 'string' && text !== ''))]
  const [writing, ...reading] = secrets
  if (writing === undefined) {
    // An empty variable must not change the key silently.
    const message = 'expected a secret, got nothing; omit it to use secret'
    return { ...none, problems: [{ option: 'dataSecret', code: 'SECRET_MISSING', message }] }
  }
  const problems = isProduction ? checkLength('dataSecret', writing, minLength) : []
  const warnings = reading.some(({ length }) => length < minLength)
    ? [`a data secret that only decrypts is shorter than ${minLength} characters; call reencrypt, and remove it`]
    : []
  return { secrets, problems, warnings }
}

/** @returns The problems of secrets that are used for session tokens only. */
export function checkTokenSecrets(
  { jwt }: PosternOptions,
  { isProduction, minLength }: SecretRequirements
): readonly Problem[] {
  const given = jwt?.secret
  if (given === undefined) return []
  const secrets = typeof given === 'string' ? [given] : given
  const [writing] = secrets
  if (writing === undefined || secrets.includes(''))
    return [
      {
        option: 'jwt.secret',
        code: 'SECRET_MISSING',
        message: 'expected a secret, got nothing; omit it to use secret'
      }
    ]
  return isProduction ? checkLength('jwt.secret', writing, minLength) : []
}
