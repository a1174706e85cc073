import { isObject } from '../model/json-object.ts'

const hidden = '[hidden]'

/** Shorter strings occur in messages by chance. */
const shortest = 6

/** Collects every string in a value, to `depth` levels, as secrets to redact; none that occurs by chance. */
export function textsIn(value: unknown, depth: number = 4): readonly string[] {
  return allTextsIn(value, depth).filter(({ length }) => length >= shortest)
}

/** Collects every string in a value like {@link textsIn}, also the short ones. */
export function allTextsIn(value: unknown, depth: number = 4): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (!isObject(value) || depth === 0) return []
  return Object.values(value).flatMap((member) => allTextsIn(member, depth - 1))
}

const endsInWord = /[\p{L}\p{N}]$/u
const beginsWithWord = /^[\p{L}\p{N}]/u

/** Replaces a short secret where it is not part of a longer word: a part would also reveal the secret. */
function withoutWord(text: string, word: string): string {
  const [first = '', ...others] = text.split(word)
  return others.reduce((done, rest) => {
    const isPart = endsInWord.test(done) || beginsWithWord.test(rest)
    return done + (isPart ? word : hidden) + rest
  }, first)
}

function without(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (rest, secret) => (secret.length < shortest ? withoutWord(rest, secret) : rest.replaceAll(secret, hidden)),
    text
  )
}

function isTelling(error: Error, secrets: readonly string[], depth: number): boolean {
  const { message, stack = '', cause, ...own } = error
  const texts = [message, stack, ...textsIn(own)]
  if (texts.some((text) => secrets.some((secret) => text.includes(secret)))) return true
  return cause instanceof Error && depth > 0 && isTelling(cause, secrets, depth - 1)
}

/**
 * Removes secrets from a third-party error: some libraries put the arguments of a call into the message.
 *
 * @returns The error itself if it contains none of the secrets, otherwise a copy without them.
 */
export function redacted(error: unknown, secrets: readonly string[], depth: number = 5): unknown {
  if (!(error instanceof Error) || secrets.length === 0 || !isTelling(error, secrets, depth)) return error
  const { name, message, stack = '', cause } = error
  const details = cause instanceof Error && depth > 0 ? { cause: redacted(cause, secrets, depth - 1) } : undefined
  const copy = new Error(without(message, secrets), details)
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return Object.assign(copy, { name, stack: without(stack, secrets), ...code })
}
