import type { Problem } from '../errors/config-error.ts'
import { defaults } from './defaults.ts'
import type { PosternOptions } from './options.ts'

/** The secrets, the writing one first, and what is wrong with them. */
export interface Secrets {
  readonly secrets: readonly string[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

function given(
  { secret }: PosternOptions,
  environment: Readonly<Record<string, string | undefined>>
): readonly string[] {
  const own = typeof secret === 'string' ? [secret] : (secret ?? [])
  const named = own.length > 0 ? own : [environment['NEXTAUTH_SECRET'] ?? '', environment['AUTH_SECRET'] ?? '']
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
  const isShort = (text: string): boolean => text.length < defaults.secretLength
  const message = `expected at least ${defaults.secretLength} characters, got ${writing.length}; make one with openssl rand -hex 32`
  const problems = isProduction && isShort(writing) ? [{ option: 'secret', message }] : []
  const warnings = reading.some(isShort)
    ? ['a secret that is only read is shorter than 32 characters; drop it when it is no longer needed']
    : []
  return { secrets, problems, warnings }
}
