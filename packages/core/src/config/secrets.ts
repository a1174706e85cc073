import type { Problem } from '../errors/config-error.ts'
import type { PosternOptions } from './options.ts'

/** The secrets, the writing one first, and what is wrong with them. */
export interface Secrets {
  readonly secrets: readonly string[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

/** next-auth v4 takes `jwt.secret` for everything where nothing else is said. */
function given(
  { secret, jwt }: PosternOptions,
  environment: Readonly<Record<string, string | undefined>>
): readonly string[] {
  const listed = (one: typeof secret = []): readonly string[] => (typeof one === 'string' ? [one] : one).filter(Boolean)
  const own = [listed(secret), listed(jwt?.secret)].find((secrets) => secrets.length > 0)
  const named = own ?? [environment['NEXTAUTH_SECRET'] ?? '', environment['AUTH_SECRET'] ?? '']
  return [...new Set(named.filter((text) => typeof text === 'string' && text !== ''))]
}

/** What secrets are held to. */
interface SecretRules {
  readonly isProduction: boolean
  /** Characters that a writing secret needs in production. */
  readonly least: number
}

/** Looks the secrets over: production needs a long one, development makes do with one of its own for each start. */
export function resolveSecrets(
  options: PosternOptions,
  environment: Readonly<Record<string, string | undefined>>,
  { isProduction, least }: SecretRules,
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
    return { secrets: [random()], problems: [{ option: 'secret', message }], warnings: [] }
  }
  const problems = isProduction ? checkLength('secret', writing, least) : []
  const warnings = reading.some(({ length }) => length < least)
    ? [`a secret that is only read is shorter than ${least} characters; drop it when it is no longer needed`]
    : []
  return { secrets, problems, warnings }
}

function checkLength(option: string, { length }: string, least: number): readonly Problem[] {
  const expected = `expected at least ${least} characters, got ${length}`
  const mend = `make one with openssl rand -hex ${Math.max(32, Math.ceil(least / 2))}`
  return length < least ? [{ option, message: `${expected}; ${mend}` }] : []
}

/** @returns What is wrong with the secrets that session tokens have to themselves. */
export function checkTokenSecrets({ jwt }: PosternOptions, { isProduction, least }: SecretRules): readonly Problem[] {
  const given = jwt?.secret
  if (given === undefined) return []
  const secrets = typeof given === 'string' ? [given] : given
  const [writing] = secrets
  if (writing === undefined || secrets.includes(''))
    return [{ option: 'jwt.secret', message: 'expected a secret, got nothing; leave it out where secret is meant' }]
  return isProduction ? checkLength('jwt.secret', writing, least) : []
}
