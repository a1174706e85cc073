import type { Problem } from '../errors/config-error.ts'
import { defaults } from './defaults.ts'
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

/** Looks the secrets over: production needs a long one, development makes do with one of its own for each start. */
export function resolveSecrets(
  options: PosternOptions,
  environment: Readonly<Record<string, string | undefined>>,
  isProduction: boolean,
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
  const problems = isProduction ? checkLength('secret', writing) : []
  const warnings = reading.some(isShort)
    ? ['a secret that is only read is shorter than 32 characters; drop it when it is no longer needed']
    : []
  return { secrets, problems, warnings }
}

const isShort = (text: string): boolean => text.length < defaults.secretLength

function checkLength(option: string, { length }: string): readonly Problem[] {
  const expected = `expected at least ${defaults.secretLength} characters, got ${length}`
  return length < defaults.secretLength ? [{ option, message: `${expected}; make one with openssl rand -hex 32` }] : []
}

/** @returns What is wrong with the secrets that session tokens have to themselves. */
export function checkTokenSecrets({ jwt }: PosternOptions, isProduction: boolean): readonly Problem[] {
  const given = jwt?.secret
  if (given === undefined) return []
  const secrets = typeof given === 'string' ? [given] : given
  const [writing] = secrets
  if (writing === undefined || secrets.includes(''))
    return [{ option: 'jwt.secret', message: 'expected a secret, got nothing; leave it out where secret is meant' }]
  return isProduction ? checkLength('jwt.secret', writing) : []
}
